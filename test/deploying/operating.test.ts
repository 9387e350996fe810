import assert from 'node:assert/strict'
import postgres from 'postgres'
import { ALL_SETTINGS, readConfig } from '../../src/server/config.js'
import { PRIMARY_CONNECTIONS, REPLICA_MOST } from '../../src/core/db/pool-sizes.js'
import { blocks, page, section } from '../docs/curls.js'
import { temporaryFolder } from '../load/files.js'
import { urlOf } from '../support/database.js'
import { service } from '../support/service.js'
import { settingsPage } from './settings-page.js'

describe('the settings', () => {
  it('are those of the page, as "npm run schema" writes it', () => {
    assert.equal(page('docs/settings.md'), settingsPage())
  })

  it('that are secret may come in a file', () => {
    const files = temporaryFolder()
    try {
      const named = Object.keys(ALL_SETTINGS).filter((name) => ALL_SETTINGS[name]?.isSecret)
      const values: Record<string, string> = {
        DATABASE_URL: 'postgres://a:b@c/d',
        READ_DATABASE_URL: 'postgres://a:b@e:1,f:2/d',
        CONSOLE_DATABASE_URL: 'postgres://g:b@c/d',
        REDIS_URL: 'redis://g',
        ANTHROPIC_API_KEY: 'key',
        OIDC_CLIENT_SECRET: 'client secret',
      }
      assert.deepEqual(named.sort(), Object.keys(values).sort())
      const inFiles = named.map((name) => [`${name}_FILE`, files.write(name, `${values[name]}\n`)])
      const env: Record<string, string> = {
        PUBLIC_URL: 'https://example.org',
        OIDC_ISSUER: 'https://login.example.org',
        OIDC_CLIENT_ID: 'frames',
        ...Object.fromEntries(inFiles),
      }
      const config = readConfig(env)
      assert.deepEqual(
        [config.databaseUrl, config.readDatabaseUrls, config.web?.databaseUrl],
        [values['DATABASE_URL'], ['postgres://a:b@e:1/d', 'postgres://a:b@f:2/d'], values['CONSOLE_DATABASE_URL']],
      )
      assert.deepEqual(
        [config.redisUrl, config.wording?.apiKey, config.web?.openId?.clientSecret],
        [values['REDIS_URL'], values['ANTHROPIC_API_KEY'], values['OIDC_CLIENT_SECRET']],
      )
      assert.equal(readConfig({ ANTHROPIC_API_KEY_FILE: files.write('empty', '') }).wording, undefined)
      const both = { ...env, REDIS_URL: 'redis://h', DATABASE_URL_FILE: '/nowhere/url' }
      assert.throws(() => readConfig(both), /REDIS_URL and REDIS_URL_FILE are both given/)
      assert.throws(() => readConfig(both), /DATABASE_URL_FILE is "\/nowhere\/url", which cannot be read \(ENOENT\)/)
      assert.throws(
        () => readConfig(both),
        (error: Error) => !/a:b|redis:\/\/g/.test(error.message),
      )
    } finally {
      files.remove()
    }
  })

  it('for the OpenID provider are read', () => {
    const provider = {
      OIDC_ISSUER: 'https://login.example.org/realms/x',
      OIDC_CLIENT_ID: 'frames',
      OIDC_CLIENT_SECRET: 'x',
    }
    const read = (env: Record<string, string>) => readConfig({ ...provider, ...env }).web?.openId
    assert.equal(readConfig({}).web?.openId, undefined)
    assert.deepEqual([read({})?.name, read({})?.scope], ['login.example.org', 'openid profile email'])
    const roles = 'a=org_000000000001/owner; CN=b,OU=c = org_000000000002/member ;'
    assert.deepEqual(read({ OIDC_ROLE_CLAIM: 'groups', OIDC_ROLES: roles })?.roleClaim, {
      claim: 'groups',
      grants: [
        { value: 'a', orgId: 'org_000000000001', role: 'owner' },
        { value: 'CN=b,OU=c', orgId: 'org_000000000002', role: 'member' },
      ],
    })
  })
})

describe('the pages for operators', function () {
  this.timeout(120_000)

  it('name the connections that the pools of a process open', () => {
    const text = page('docs/deploy.md').replaceAll(/\s+/g, ' ')
    const { api, withApp, asService, asConsole } = PRIMARY_CONNECTIONS
    for (const sentence of [
      `a process holds up to ${api} to the primary`,
      `and up to ${REPLICA_MOST.api} to each replica`,
      `holds up to ${withApp} to the primary, ${asService} of them as \`frames_service\` and ${asConsole} as \`frames_console\``,
      `with \`AUTHORITY_GRACE\` up to ${REPLICA_MOST.withApp} to each replica`,
    ])
      assert.ok(text.includes(sentence), sentence)
  })

  it('has SQL that runs', async () => {
    const admin = postgres(urlOf(service().database.adminTarget), { max: 1 })
    try {
      const [block = ''] = blocks(section(page('docs/replicas.md'), '## What lag means'), 'sql')
      assert.ok(block.length > 0)
      await admin.unsafe(`begin; ${block}; rollback`)
    } finally {
      await admin.end()
    }
  })
})
