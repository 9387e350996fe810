/** POST /app/organisation: looks at another organisation. Only one that the person is a member of is accepted. */
import type { RequestHandler } from 'express'
import { builder } from '../../core/db/builder.js'
import type { Services } from '../../services.js'
import { changeAs } from '../shell/change.js'
import { noSuchPage } from '../shell/refusals.js'
import { textField } from '../shell/form.js'
import { goTo } from '../shell/send-page.js'
import { sessionOf } from '../shell/session.js'
import type { Web } from '../shell/web.js'

export function switchOrganisationRoute(services: Services, web: Web): RequestHandler {
  const change = changeAs(services, web)
  return async (req, res) => {
    const { personId, tokenHash } = sessionOf(req)
    const orgId = textField(req, 'organisation')
    const switched = await change(req, 'src/app/pages/organisation.ts: switchOrganisationRoute', (run) =>
      run(
        builder
          .updateTable('session')
          .from('membership')
          .set({ org_id: orgId })
          .where('session.token_hash', '=', tokenHash)
          .where('membership.person_id', '=', personId)
          .where('membership.org_id', '=', orgId)
          .returning('session.org_id'),
      ),
    )
    if (switched.length === 0) throw noSuchPage()
    goTo(res, '')
  }
}
