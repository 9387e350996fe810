/** GET /app: leads to the first page that the person's role opens. */
import type { RequestHandler } from 'express'
import { firstPath } from '../shell/sections.js'
import { goTo } from '../shell/send-page.js'
import { sessionOf } from '../shell/session.js'

export const homeRoute: RequestHandler = (req, res) => goTo(res, firstPath(sessionOf(req).role))
