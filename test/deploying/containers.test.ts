import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { projectFolder } from '../../src/core/db/statement.js'
import { postgresServer } from '../support/database.js'
import { execForm } from '../support/dockerfile.js'
import { service } from '../support/service.js'
import { ALL_SETTINGS } from '../../src/server/config.js'

const run = promisify(execFile)
const page = (name: string) => readFileSync(new URL(name, projectFolder), 'utf8')
const path = (name: string) => fileURLToPath(new URL(name, projectFolder))
const isSetting = (name: string) => name.replace(/_FILE$/, '') in ALL_SETTINGS

describe('the image', () => {
  const dockerfile = page('Dockerfile')
  const stages = dockerfile.split(/^(?=FROM )/m).slice(1)
  const final = stages.at(-1) ?? ''
  const copies = [...final.matchAll(/^COPY (--from=build )?(.+)$/gm)].map(([, built, words = '']) => {
    const names = words.split(' ')
    return { from: built ? 'build' : 'here', what: names.slice(0, -1), to: names.at(-1) ?? '' }
  })

  it('is run by a user that is not root, from the end on', () => {
    const [, user = ''] = /^USER (\d+):\d+$/m.exec(final) ?? []
    assert.ok(Number(user) > 0)
    assert.doesNotMatch(final.slice(final.indexOf('\nUSER')), /^(RUN|COPY|ADD)/m)
  })

  it('knows no secret, and only settings that there are', () => {
    assert.doesNotMatch(dockerfile, /^ARG|svc_sk_|postgres:\/\/|password/im)
    const [, words = ''] = /^ENV (.*)$/m.exec(final) ?? []
    const names = words.split(' ').map((word) => word.split('=')[0] ?? '')
    assert.deepEqual(
      names.slice(1).filter((name) => !isSetting(name)),
      [],
    )
    assert.equal(words.split(' ')[0], 'NODE_ENV=production')
    assert.match(words, /PORT=3000 /)
    assert.match(final, /^EXPOSE 3000$/m)
  })

  it('is installed from packages whose hashes the lockfile holds, from whatever registry', () => {
    interface Entry {
      integrity?: string
      resolved?: string
    }
    const { packages } = JSON.parse(page('package-lock.json')) as { packages: Record<string, Entry> }
    const entries = Object.entries(packages).filter(([name]) => name !== '')
    const named = (wanted: (entry: Entry) => boolean) =>
      entries.filter(([, entry]) => wanted(entry)).map(([name]) => name)
    assert.deepEqual(
      named(({ integrity = '' }) => !/^sha512-[\w+/]{86}==$/.test(integrity)),
      // Programs of a check, for other machines than CI's: the registry in use has no such version to hash.
      ['darwin-arm64', 'darwin-x64', 'linux-arm64', 'win32-x64'].map((name) => `node_modules/@squawk-cli/${name}`),
    )
    assert.deepEqual(
      named(({ resolved }) => resolved !== undefined),
      [],
    )
  })

  it('holds all that a command needs', async () => {
    const image = mkdtempSync(join(tmpdir(), 'frames-image-'))
    try {
      for (const { from, what, to } of copies) {
        for (const name of what) {
          const source = path(from === 'build' ? name.replace(/^\/app\//, '') : name)
          const target = join(image, to.endsWith('/') ? join(to, basename(name)) : to)
          mkdirSync(dirname(target), { recursive: true })
          cpSync(source, target, { recursive: true })
        }
      }
      symlinkSync(path('node_modules'), join(image, 'node_modules'))
      const { ownerTarget } = service().database
      const [node = '', ...words] = execForm(final, 'ENTRYPOINT')
      assert.deepEqual([node, execForm(final, 'CMD')], ['node', ['serve']])
      const { stdout } = await run(process.execPath, [...words, 'datasets', 'list', '--json'], {
        cwd: image,
        env: typeof ownerTarget === 'string' ? { DATABASE_URL: ownerTarget } : { DATA_DIR: ownerTarget.host },
      })
      assert.ok((JSON.parse(stdout) as unknown[]).length >= 12)
    } finally {
      rmSync(image, { recursive: true, force: true })
    }
  })

  it('is healthy when the operators’ port says that it is ready, and not when it says or hears nothing', async () => {
    const [, ...words] = execForm(final, 'HEALTHCHECK .* CMD')
    let status = 200
    const asked: string[] = []
    const server = createServer((req, res) => {
      asked.push(req.url ?? '')
      res.writeHead(status).end()
    })
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    const env = { OPS_PORT: String((server.address() as AddressInfo).port) }
    const check = () =>
      run(process.execPath, words, { env }).then(
        () => 0,
        (error: { code?: number }) => error.code,
      )
    assert.equal(await check(), 0)
    status = 503
    assert.equal(await check(), 1)
    await new Promise((done) => server.close(done))
    assert.equal(await check(), 1)
    assert.deepEqual(asked, ['/readyz', '/readyz'])
  })
})

describe('the stack', () => {
  const compose = page('docker-compose.yml')
  /** Returns the lines that are indented under a key, without comments. */
  function under(text: string, key: string, indent: string): string {
    const lines = text.split('\n').filter((line) => !line.trim().startsWith('#'))
    const from = lines.findIndex((line) => line.startsWith(`${indent}${key}:`))
    const length = lines.slice(from + 1).findIndex((line) => line !== '' && !line.startsWith(`${indent} `))
    assert.ok(from >= 0, key)
    return lines.slice(from + 1, length === -1 ? undefined : from + 1 + length).join('\n')
  }
  const services = under(compose, 'services', '')
  const names = [...services.matchAll(/^ {2}(\w+):$/gm)].map(([, name = '']) => name)
  const of = (name: string) => under(services, name, '  ')

  it('has four containers, each closed, bounded and on a pinned image', () => {
    assert.deepEqual(names, ['service', 'migrate', 'database', 'redis'])
    const closed = under(compose, 'x-closed', '')
    assert.match(closed, /read_only: true\n\s+cap_drop: \[ALL\]\n\s+security_opt: \['no-new-privileges:true'\]/)
    for (const name of names) {
      assert.match(of(name), /^ {4}<<: \*closed$/m, name)
      assert.match(of(name), /limits: \{ cpus: '\d', memory: \d+[mg], pids: \d+ \}/, name)
      assert.match(of(name), /^ {4}image: \S+:\d+[\w.-]+$/m, name)
      assert.doesNotMatch(of(name), /read_only: false|privileged|cap_add|user: (root|0)/, name)
    }
    assert.match(
      of('service'),
      new RegExp(`image: spatial-frame-index:${(JSON.parse(page('package.json')) as { version: string }).version}`),
    )
  })

  it('is reached on one port of this machine alone', () => {
    const published = names.filter((name) => /^ {4}ports:/m.test(of(name)))
    assert.deepEqual(published, ['service'])
    assert.deepEqual(under(of('service'), 'ports', '    ').trim(), "- '127.0.0.1:3000:3000'")
    assert.match(compose, /^ {2}inside: \{ internal: true \}$/m)
    for (const name of names) {
      assert.match(of(name), name === 'service' ? /networks: \[inside, outside\]/ : /networks: \[inside\]/, name)
    }
  })

  it('has its passwords in secrets, and gives each container its own', () => {
    assert.doesNotMatch(compose, /:\/\/[^/\s]*:[^/\s]*@|PASSWORD: |API_KEY: |\$\{/)
    const secrets = new Map(names.map((name) => [name, /secrets: \[(.*)\]/.exec(of(name))?.[1]?.split(', ') ?? []]))
    assert.deepEqual(Object.fromEntries(secrets), {
      service: ['service_url', 'console_url', 'anthropic_api_key'],
      migrate: ['owner_url'],
      database: ['postgres_password', 'owner_password', 'service_password', 'console_password', 'analyst_password'],
      redis: [],
    })
    const known = [...under(compose, 'secrets', '').matchAll(/^ {2}(\w+): \{ file: \.\/secrets\/\1 \}$/gm)]
    assert.deepEqual(new Set(known.map(([, name = '']) => name)), new Set([...secrets.values()].flat()))
    for (const name of names) {
      for (const [, secret = ''] of of(name).matchAll(/\/run\/secrets\/(\w+)/g))
        assert.ok(secrets.get(name)?.includes(secret))
    }
    assert.match(page('.gitignore'), /^secrets\/$/m)
  })

  describe('its secrets', () => {
    let folder = ''
    before(async () => {
      folder = mkdtempSync(join(tmpdir(), 'frames-secrets-'))
      await run('sh', [path('docker/make-secrets.sh')], { cwd: folder })
    })
    after(() => rmSync(folder, { recursive: true, force: true }))
    const secret = (name: string) => readFileSync(join(folder, 'secrets', name), 'utf8')

    it('are made closed to others, each of its own, and never anew', async () => {
      assert.equal(statSync(join(folder, 'secrets')).mode & 0o777, 0o700)
      const passwords = ['postgres', 'owner', 'service', 'console', 'analyst'].map((who) => secret(`${who}_password`))
      for (const password of passwords) assert.match(password, /^[0-9a-f]{48}$/)
      assert.equal(new Set(passwords).size, 5)
      for (const who of ['owner', 'service', 'console']) {
        assert.equal(secret(`${who}_url`), `postgres://frames_${who}:${secret(`${who}_password`)}@database:5432/frames`)
      }
      const named = [...under(compose, 'secrets', '').matchAll(/^ {2}(\w+):/gm)].map(([, name = '']) => name)
      for (const name of named) assert.ok(existsSync(join(folder, 'secrets', name)), name)
      await assert.rejects(run('sh', [path('docker/make-secrets.sh')], { cwd: folder }))
      assert.equal(secret('owner_password'), passwords[1])
    })

    it('become the passwords of the roles', async () => {
      const server = await postgresServer()
      const psql = (text: string) =>
        run('psql', ['-X', '-At', '-h', '127.0.0.1', '-p', String(server.port), '-U', 'postgres', '-c', text])
      await psql('create database initdb_roles')
      await run('sh', [path('docker/roles.sh')], {
        env: {
          PATH: process.env['PATH'],
          PGHOST: '127.0.0.1',
          PGPORT: String(server.port),
          POSTGRES_DB: 'initdb_roles',
          SECRETS: join(folder, 'secrets'),
          ROLES: path('migrations/roles.sql'),
        },
      })
      const { stdout } = await psql(
        `select count(*) from pg_authid where rolname in ('frames_owner', 'frames_service', 'frames_console', 'frames_analyst') and rolpassword like 'SCRAM-SHA-256%'`,
      )
      await psql('drop database initdb_roles')
      assert.equal(stdout.trim(), '4')
    })
  })
})
