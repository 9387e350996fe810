/** Says at the start of the service what it can do without, but its operator would want to know. */
import { unknownOrganisations } from '../../core/access/organisations.js'
import type { Config } from '../../server/config.js'
import { PRIMARY_CONNECTIONS } from '../../core/db/pool-sizes.js'
import { sqlText } from '../../core/db/statement.js'
import type { Site } from '../../server/site.js'
import type { Services } from '../../services.js'

export async function startWarnings(config: Config, { services, web }: Site): Promise<string[]> {
  const { web: settings, publicUrl, port, trustedHeader } = config
  if (!settings || !web) return []
  const warnings: string[] = []
  // The service itself speaks no TLS.
  if (publicUrl?.(port).protocol === 'https:' && !trustedHeader)
    warnings.push(
      'PUBLIC_URL is https, so a proxy is in front, and CLIENT_ADDRESS_HEADER names no header: all visitors who sign in share one bucket (BUCKET_ADDRESS), and events have no address.',
    )
  if (settings.databaseUrl !== undefined) {
    const [role] = await web.db.rows<{ role: string; isOwner: boolean }>(sqlText('inspect/owner'), [])
    if (role?.isOwner)
      warnings.push(
        `CONSOLE_DATABASE_URL signs in as ${role.role}, which may do more than the role frames_console: a fault of the app could change every table.`,
      )
  }
  const named = settings.openId?.roleClaim?.grants.map(({ orgId }) => orgId) ?? []
  const unknown = await unknownOrganisations(services.primary.run, named)
  if (unknown.length > 0) warnings.push(`OIDC_ROLES names organisations that nobody has: ${unknown.join(', ')}.`)
  return warnings
}

/** While a worker is replaced, its successor has connections too. */
export async function tooFewConnections(
  { services: { primary }, web }: { services: Pick<Services, 'primary'>; web: unknown },
  workers: number,
): Promise<string[]> {
  const each = web ? PRIMARY_CONNECTIONS.withApp : PRIMARY_CONNECTIONS.api
  const most = (workers + 1) * each
  const [limit] = await primary.rows<{ free: number }>(sqlText('inspect/connections_allowed'), [])
  if (!limit || most <= limit.free) return []
  return [
    `${workers} workers open up to ${most} connections to PostgreSQL (${each} each, and one more worker during a restart), and max_connections allows ${limit.free}. Raise it to ${most + 20}, or start fewer workers. Behind a pooler, its limits count.`,
  ]
}
