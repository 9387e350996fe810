/** Meters the map. A person who asks too often keeps the form with the question, and reads when to ask again. */
import type { Request, RequestHandler, Response } from 'express'
import { ApiError } from '../../core/errors.js'
import type { Services } from '../../services.js'
import { html } from '../shell/html.js'
import { meterPerson } from '../shell/person-authority.js'
import { sendPage } from '../shell/send-page.js'
import { mapLink } from '../map/data.js'
import { questionPart } from './question.js'
import { questionOf, readableView } from '../map/view.js'

/** The script of the page asks for the parts that change. It shows a refusal itself. */
export const isPartOfMap = ({ context: { asked } }: Request): boolean => asked.get('part')?.[0] === 'panel'

/** A view of the map without a question spends nothing from the bucket of questions. */
export function meterMap(services: Services): RequestHandler {
  const [read, question] = [meterPerson(services, 'read'), meterPerson(services, 'insight')]
  return (req, res, next) => {
    if (questionOf(req.context.asked) === undefined) return read(req, res, next)
    return question(req, res, (error?: unknown) => {
      if (!(error instanceof ApiError) || error.code !== 'rate_limited' || isPartOfMap(req)) return next(error)
      services.metrics.countConsoleRefusal('rate')
      sendRefusedQuestion(res, error)
    })
  }
}

/** The bucket of pages may be empty, too: this page reads nothing. */
function sendRefusedQuestion(res: Response, { status, headers, message }: ApiError): void {
  const { req } = res
  const data = { path: `${req.visit.place.app}/map`, ...readableView(req.context.asked) }
  const { pick, camera } = data.view
  res.status(status).set(headers)
  sendPage(res, {
    title: 'Map',
    section: '/map',
    styles: ['map.css'],
    body: html`<p class="notice warn" role="alert">Nothing was asked, and nothing was spent. ${message}</p>
      ${questionPart({ misread: undefined, ...data }, undefined)}
      <p><a href="${mapLink(data, { pick, camera })}">The map without the question</a></p>`,
  })
}
