/** GET /app: leads to the first page that the person's role opens. */
import type { RequestHandler } from 'express'
import { firstPath } from '../sections.js'
import { goTo } from '../send-page.js'
import { sessionOf } from '../session.js'

export const homeRoute: RequestHandler = (req, res) => goTo(res, firstPath(sessionOf(req).role))
