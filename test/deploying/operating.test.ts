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

  it('for the OpenID provider are read, and refused where they cannot be meant', () => {
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
    for (const [env, sentence] of [
      [{ OIDC_ISSUER: '' }, /OIDC_... need OIDC_ISSUER/],
      [{ OIDC_ISSUER: 'http://login.example.org' }, /OIDC_ISSUER is "http:\/\/login.example.org"; https:/],
      [
        { OIDC_ISSUER: 'https://login.microsoftonline.com/common/v2.0' },
        /OIDC_ISSUER is .* people of every tenant share/,
      ],
      [{ OIDC_ISSUER: 'https://login.microsoftonline.com/organizations/v2.0' }, /OIDC_ISSUER is .* every tenant/],
      [{ OIDC_ISSUER: 'login.example.org' }, /OIDC_ISSUER is "login.example.org"/],
      [{ OIDC_CLIENT_ID: '' }, /needs OIDC_CLIENT_ID/],
      [{ OIDC_CLIENT_SECRET: '' }, /needs OIDC_CLIENT_SECRET/],
      [{ OIDC_SCOPE: 'email' }, /must hold the word openid/],
      [{ OIDC_ROLE_CLAIM: 'groups' }, /OIDC_ROLE_CLAIM and OIDC_ROLES need each other/],
      [{ OIDC_ROLE_CLAIM: 'groups', OIDC_ROLES: 'a=Maps/owner' }, /OIDC_ROLES has "a=Maps\/owner"/],
      [{ OIDC_ROLE_CLAIM: 'groups', OIDC_ROLES: 'a=org_000000000001/boss' }, /VALUE=ORGANISATION\/ROLE/],
    ] as const) {
      assert.throws(() => read(env), sentence)
    }
  })

  it('for replicas are refused where they cannot be meant', () => {
    for (const [env, sentence] of [
      [{ READ_DATABASE_URL: 'postgres://a/b' }, /READ_DATABASE_URL needs DATABASE_URL/],
      [{ DATABASE_URL: 'postgres://a/b', READ_DATABASE_URL: 'mysql://a/b' }, /READ_DATABASE_URL must be postgres/],
      [{ DATABASE_URL: 'postgres://a/b', READ_DATABASE_URL: 'postgres://a,/b' }, /READ_DATABASE_URL must be postgres/],
      [{ DATABASE_URL: 'postgres://a:5432,b:port/c' }, /DATABASE_URL must be postgres.*commas separate several hosts/],
      [{ READ_LAG_MAX: '0' }, /READ_LAG_MAX is "0"; seconds from 1/],
      [{ AUTHORITY_GRACE: '-1' }, /AUTHORITY_GRACE is "-1"; seconds from 0/],
      [{ AUTHORITY_GRACE: '60' }, /AUTHORITY_GRACE needs READ_DATABASE_URL/],
    ] as const) {
      assert.throws(() => readConfig(env), sentence)
    }
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
