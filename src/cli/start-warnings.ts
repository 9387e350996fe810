/** Says at the start of the service what it can do without, but its operator would want to know. */
import { unknownOrganisations } from '../access/organisations.js'
import type { Config } from '../config.js'
import { sqlText } from '../db/statement.js'
import type { Services } from '../services.js'

export async function startWarnings({ web: settings }: Config, { primary, web }: Services): Promise<string[]> {
  if (!settings || !web) return []
  const warnings: string[] = []
  if (settings.databaseUrl !== undefined) {
    const [role] = await web.db.rows<{ role: string; isOwner: boolean }>(sqlText('inspect/owner'), [])
    if (role?.isOwner)
      warnings.push(
        `CONSOLE_DATABASE_URL signs in as ${role.role}, which may do more than the role frames_console: a fault of the app could change every table.`,
      )
  }
  const named = settings.openId?.roleClaim?.grants.map(({ orgId }) => orgId) ?? []
  const unknown = await unknownOrganisations(primary.run, named)
  if (unknown.length > 0) warnings.push(`OIDC_ROLES names organisations that nobody has: ${unknown.join(', ')}.`)
  return warnings
}
