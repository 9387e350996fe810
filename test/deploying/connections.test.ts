import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { PRIMARY_CONNECTIONS, REPLICA_MOST } from '../../src/db/pool-sizes.js'

describe('the connections that docs/deploy.md names', () => {
  const text = readFileSync('docs/deploy.md', 'utf8').replaceAll(/\s+/g, ' ')
  const { api, withApp, asService, asConsole } = PRIMARY_CONNECTIONS

  it('are those of the pools that a process opens', () => {
    const said = [
      `a process holds up to ${api} to the primary`,
      `and up to ${REPLICA_MOST.api} to each replica`,
      `holds up to ${withApp} to the primary, ${asService} of them as \`frames_service\` and ${asConsole} as \`frames_console\``,
      `with \`AUTHORITY_GRACE\` up to ${REPLICA_MOST.withApp} to each replica`,
    ]
    for (const sentence of said) assert.ok(text.includes(sentence), sentence)
  })
})
