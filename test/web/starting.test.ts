import assert from 'node:assert/strict'
import { readConfig } from '../../src/server/config.js'
import { frames, startServe } from '../support/cli.js'
import { visit } from '../support/browse.js'
import { analystTarget, urlOf } from '../support/database.js'
import { startProxy } from '../support/proxy.js'
import { until } from '../support/until.js'
import { newOrganisation, service } from '../support/service.js'
import { organisation } from './organisation.js'

describe('the settings of the web app', () => {
  const postgres = { DATABASE_URL: 'postgres://a/b', CONSOLE_DATABASE_URL: 'postgres://c/b' }
  const { DATABASE_URL } = postgres
  const PUBLIC_URL = 'https://a.org/'
  const both = 'postgres://c:p@db1:5432,db2:5432/b?target_session_attrs=read-write'

  /** The settings: the address of the app, where it is on; the address that commands print; its database. */
  const SETTINGS: readonly [env: Record<string, string>, ...(string | undefined)[]][] = [
    [{}, 'http://127.0.0.1:3000/'],
    [{ HOST: 'localhost' }, 'http://localhost:3000/'],
    [{ HOST: '::1' }, 'http://[::1]:3000/'],
    [{ HOST: '0.0.0.0' }, 'http://127.0.0.1:3000/'],
    [{ HOST: '::' }, 'http://127.0.0.1:3000/'],
    // Browsers of other machines would send the cookie in the clear.
    [{ HOST: '192.168.1.9' }],
    [{ PUBLIC_URL: 'https://example.org/geo' }, 'https://example.org/geo'],
    [{ PUBLIC_URL: 'off' }],
    [postgres],
    [{ ...postgres, PUBLIC_URL: 'off' }],
    [{ ...postgres, PUBLIC_URL }, PUBLIC_URL, PUBLIC_URL, 'postgres://c/b'],
    [{ DATABASE_URL, PUBLIC_URL, CONSOLE_DATABASE_URL: both }, PUBLIC_URL, PUBLIC_URL, both],
    // Commands print the address: serve alone needs more.
    [{ DATABASE_URL, PUBLIC_URL }, undefined, PUBLIC_URL],
  ]
  it('give it an address and a database, or leave it off', () => {
    for (const [env, app, printed, database] of SETTINGS) {
      const { web, publicUrl } = readConfig(env)
      const about = JSON.stringify(env)
      assert.equal(web?.publicUrl(3000).href, app, about)
      if (printed !== undefined) assert.equal(publicUrl?.(3000).href, printed, about)
      assert.equal(web?.databaseUrl, database, about)
    }
  })

  it('name the operators: unset, the demo organisation on the embedded database, and nobody on a server', () => {
    const two = 'org_0123456789ab, org_AAAAAAAAAAAA'
    const server = { ...postgres, PUBLIC_URL }
    for (const [env, operators] of [
      [{}, 'demo'],
      [server, []],
      [{ OPERATORS: 'off' }, []],
      [{ ...server, OPERATORS: two }, two.split(', ')],
    ] as const)
      assert.deepEqual(readConfig(env).web?.operators, operators)
    for (const OPERATORS of ['demo', 'org_1', 'org_0123456789ab;org_0123456789ab', 'org_0123456789ab,', '*'])
      assert.throws(() => readConfig({ OPERATORS }), /OPERATORS has ".*"; ids of organisations are accepted/, OPERATORS)
  })
})

describe('serve with the web app', () => {
  const env = (more: Record<string, string>) => ({ DATABASE_URL: urlOf(service().database.target), ...more })

  it('signs a person in, stops, and warns of a role that owns the tables and of organisations that nobody has', async () => {
    const running = await startServe(
      env({
        PUBLIC_URL: 'https://example.org',
        CONSOLE_DATABASE_URL: urlOf(service().database.ownerTarget),
        BASEMAP_FILE: '/nowhere/country.pmtiles',
        OIDC_ISSUER: 'https://login.example.org',
        OIDC_CLIENT_ID: 'id',
        OIDC_CLIENT_SECRET: 'secret',
        OIDC_ROLE_CLAIM: 'groups',
        OIDC_ROLES: `known=${await newOrganisation(service().db)}/admin; unknown=org_nobodyHas000/admin`,
      }),
    )
    try {
      const t = await (await organisation()).link()
      const visitor = visit(running.url)
      assert.equal((await visitor.post('/app/link', { t })).status, 303)
      assert.equal((await visitor.get('/app/members')).status, 200)
      const metrics = (await visit(running.opsUrl).get('/metrics')).text
      assert.match(metrics, /^frames_sessions [1-9]\d*$/m)
      assert.match(metrics, /^frames_sign_ins_total\{way="link",outcome="accepted"\} 1$/m)
      assert.match(metrics, /^frames_http_requests_total\{route="\/app\/members",status="200"\} 1$/m)
    } finally {
      running.child.kill('SIGTERM')
    }
    const { status, err } = await running.ended
    assert.equal(status, 0)
    assert.match(err, /Warning: BASEMAP_FILE, \/nowhere\/country.pmtiles, is not there: the map has no base map\.\n/)
    assert.match(err, /CONSOLE_DATABASE_URL signs in as \w+, which may do more than the role frames_console/)
    assert.match(err, /OIDC_ROLES names organisations that nobody has: org_nobodyHas000\./)
  })

  it('goes on where the database of the app answers late, and logs what nobody looked at', async () => {
    const { consoleTarget } = service().database
    const way = await startProxy(Number(new URL(urlOf(consoleTarget)).port))
    way.hang()
    const CONSOLE_DATABASE_URL = urlOf(consoleTarget).replace(/:\d+\//, `:${way.port}/`)
    const running = await startServe(env({ PUBLIC_URL: 'https://example.org', CONSOLE_DATABASE_URL }))
    try {
      const unchecked = [...running.stdout().matchAll(/"not checked at the start: ([^"]*)"/g)].map(([, what]) => what)
      assert.deepEqual(unchecked, ['the rights of CONSOLE_DATABASE_URL', 'what could be better'])
      way.wake()
      const { link } = await organisation()
      const visitor = visit(running.url)
      await until(async () => (await visitor.post('/app/link', { t: await link() })).status === 303)
      assert.equal((await visitor.get('/app/members')).status, 200)
    } finally {
      running.child.kill('SIGTERM')
      await running.ended
      await way.close()
    }
  })

  it('says that a role lacks the rights of the app, and ends', async () => {
    const PUBLIC_URL = 'https://example.org'
    for (const url of [urlOf(service().database.target), urlOf(analystTarget(service().database))]) {
      const ran = await frames(['serve'], env({ PUBLIC_URL, CONSOLE_DATABASE_URL: url }))
      assert.equal(ran.status, 1)
      assert.match(ran.err, /The web app cannot read .* Role frames_console is needed/)
    }
  })
})
