import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import type { Command } from '../../src/tools/cli/command.js'
import { commands, usageLine } from '../../src/tools/cli/program.js'
import { projectFolder } from '../../src/core/db/statement.js'
import { nearest } from '../../src/core/nearest.js'
import { frames } from '../support/cli.js'

const limits = { BUCKET_KEY: '1000000/60', PORT: '70000', DRAIN_SECONDS: '100' }

/** No command gets as far as a database here. */
const ask = (...words: string[]) => frames(words, { DATA_DIR: '/nonexistent' })

const everyCommand = () =>
  Promise.all(Object.entries(commands).map(async ([name, load]): Promise<[string, Command]> => [name, await load()]))

describe('the usage of the command line', function () {
  this.timeout(60_000)

  it('lists every command when help is asked for, each with a line', async () => {
    const asked = await ask('--help')
    assert.deepEqual([asked.status, asked.err, asked.out], [0, '', (await ask('help')).out])
    const listed = [...asked.out.matchAll(/^ {2}([\w-]+) {2,}\S/gm)].map(([, name]) => name)
    assert.deepEqual(listed, Object.keys(commands))
    assert.ok(listed.length >= 12)
    assert.deepEqual(await ask('-h'), asked)
  })

  it('says that a process may open too few files, where Node would name its modules "not found"', () => {
    const few = `ulimit -n 64; exec "${process.execPath}" dist/src/main.js --version`
    const ran = spawnSync('sh', ['-c', few], { cwd: new URL('.', projectFolder), encoding: 'utf8' })
    assert.equal(ran.status, 1)
    assert.match(ran.stderr, /^This process may open 64 files \(ulimit -n\), and needs 256 at least; .*\n$/)
  })

  it('names --version, which prints the version of the package', async () => {
    const { version } = JSON.parse(readFileSync(new URL('package.json', projectFolder), 'utf8')) as { version: string }
    assert.deepEqual(await ask('--version'), { status: 0, out: `${version}\n`, err: '' })
    assert.deepEqual(JSON.parse((await ask('--version', '--json')).out), { version })
    assert.match((await ask('--help')).out, /--version" prints the version/)
  })

  it('explains every option and operand of every command, with limits and defaults', async () => {
    for (const [name, { forms }] of await everyCommand()) {
      const { status, out, err } = await ask(name, '--help')
      assert.deepEqual([status, err], [0, ''], name)
      for (const form of forms) {
        const said = out.replaceAll(/\s+/g, ' ')
        assert.ok(out.includes(`Usage: ${usageLine(name, form)}\n`), usageLine(name, form))
        assert.ok(said.includes(form.description), form.description)
        for (const { value, description } of form.operands)
          assert.ok(said.includes(`${value.name} ${description} (${value.accepts.replace(/,$/, '')})`), description)
        for (const [option, { value, description, default: byDefault, required, repeatable }] of Object.entries(
          form.options,
        )) {
          const within = value ? ` (${value.accepts.replace(/,$/, '')})` : ''
          const without = byDefault === undefined ? '' : ` Default: ${byDefault}.`
          const spelling = value ? `--${option} ${value.name}${repeatable ? ' ...' : ''}` : `--${option}`
          assert.ok(said.includes(`${spelling} ${description}${within}.${without}`), `${name} ${spelling}`)
          const isInChoice = form.choices?.flat().includes(option) ?? false
          assert.ok(
            required || byDefault !== undefined || isInChoice || !value || OPEN.has(option),
            `${option}: default?`,
          )
        }
      }
    }
  })

  /** Options whose absence says what it means: nothing is narrowed by them. */
  const OPEN = new Set(['lga', 'ward', 'key'])

  it('is explained for one form alone where the form is named', async () => {
    const { out } = await ask('keys', 'revoke', '--help')
    assert.match(out, /^Usage: npm run -s frames -- keys revoke KEY \[--json\]\n/)
    assert.doesNotMatch(out, /keys mint/)
  })

  it('is printed after a wrong usage, with status 2: of that command and form alone', async () => {
    for (const [words, usage] of [
      [['build'], 'build --outline FILE --wards FILE'],
      [['build', '--outline', 'x'], 'build --outline FILE --wards FILE'],
      [['import', 'frames'], 'import frames FILE'],
      [['migrate', 'x'], 'migrate'],
      [['serve', '--port', '1'], 'serve'],
      [['keys', 'list'], 'keys list --org ORG'],
      [['keys', 'mint', '--org', 'x', '--name', 'y', '--expires', '7d'], 'keys mint --org ORG'],
    ] as const) {
      const { status, out, err } = await ask(...words)
      assert.deepEqual([status, out], [2, ''], words.join(' '))
      const usages = [...err.matchAll(/npm run -s frames -- (.*)$/gm)].map(([, line = '']) => line)
      assert.equal(usages.length, 2, err)
      assert.ok(usages[0]?.startsWith(usage), err)
      assert.ok(usages[1]?.endsWith('--help" explains it.'), err)
    }
    const verbs = await ask('import', 'what', 'x')
    assert.equal(verbs.err.match(/-- import \w+ FILE/g)?.length, 3)
    assert.doesNotMatch(verbs.err, /-- keys/)
  })

  it('is the list of commands where none is known', async () => {
    for (const words of [[], ['nonsense']]) {
      const { status, err } = await ask(...words)
      assert.equal(status, 2)
      assert.match(err, /Usage: npm run -s frames -- COMMAND[\s\S]*^ {2}doctor /m)
    }
  })

  it('names the nearest command, form or option to a mistyped one', async () => {
    for (const [words, said] of [
      [['imprt'], '"imprt" is not a command. Did you mean import?'],
      [['keys', 'mnt'], '"mnt" came. Did you mean mint?'],
      [['keys', 'mint', '--prest', 'analyst'], '--prest is not an option here. Did you mean --preset?'],
      [
        [...'keys mint --org x --name y --expires 7d --preset'.split(' '), 'analist'],
        '"analist" came. Did you mean analyst?',
      ],
      [['doctor', '--thorouhg'], 'Did you mean --thorough?'],
      [['orgs', 'list', '--zzz'], '--zzz is not an option here. There are --json, --help.'],
      [['keys', 'list', '--zzzzzz'], '--zzzzzz is not an option here. There are --org, --json, --help.'],
    ] as const) {
      const { status, err } = await ask(...words)
      assert.equal(status, 2)
      assert.ok(err.startsWith(said) || err.split('\n')[0]?.endsWith(said), err)
    }
    assert.equal(nearest('quite another', ['import', 'export']), undefined)
  })

  it('takes what stands after an option as its value, whatever it begins with, and each option once', async () => {
    for (const [words, said] of [
      [['keys', 'mint', '--org', 'x', '--org', 'y'], /^--org is given twice\./],
      [['keys', 'list', '--org'], /^--org needs a value: the id or the name/],
      [['keys', 'list', '--org', '--json'], /^--org needs a value/],
      [['doctor', '--thorough=yes'], /^--thorough takes no value\./],
      [['datasets', 'license', 'lyr_x', '--to', 'x', '--per-query', '-5'], /^--per-query: .*"-5" came/],
      [['datasets', 'license', 'lyr_x', '--to', 'x', '--per-query=-5'], /^--per-query: .*"-5" came/],
      [['migrate', '-v'], /^Not understood: -v\./],
      [['doctor', '--json=yes'], /^--json is not an option here\./],
    ] as const) {
      const { status, err } = await ask(...words)
      assert.equal(status, 2, err)
      assert.match(err, said)
    }
  })

  it('refuses an id that no dataset can have as wrong usage', async () => {
    for (const kind of ['baseline', 'features']) {
      for (const id of ['wells', 'lyr_', 'lyr_my-wells', `lyr_${'a'.repeat(97)}`]) {
        const about = ['--id', id, '--name', 'Wells', '--category', 'Physical', '--org', 'demo']
        const { status, err } = await ask('import', kind, 'wells.csv', ...about)
        assert.equal(status, 2, err)
        assert.match(err, /^--id: an id of the form lyr_wells: .* is accepted, ".*" came\.\n\nUsage: /)
      }
    }
  })

  it('says in a sentence that a file is not there', async () => {
    const { status, err } = await ask('verify', '/nonexistent/answer.json')
    assert.deepEqual([status, err], [1, 'There is no file /nonexistent/answer.json.\n'])
  })
})

describe('the settings of the command line', () => {
  for (const [words, env, said] of [
    [
      ['serve'],
      { PORT: 'http', DATABASE_URL: 'mysql://x', LOG_LEVEL: 'loud' },
      /PORT is "http".*LOG_LEVEL|LOG_LEVEL.*PORT/,
    ],
    [['serve'], { PORT: 'http', DATABASE_URL: 'mysql://x', LOG_LEVEL: 'loud' }, /DATABASE_URL must begin with/],
    [
      ['serve'],
      { PORT: '4000', OPS_PORT: '4000', DATA_DIR: '/nonexistent' },
      /^PORT and OPS_PORT are both 4000; two different ports are needed, or 0 for any free one\.$/m,
    ],
    [['migrate'], limits, /BUCKET_KEY is "1000000\/60"; .* each from 1 to 999999/],
    [['migrate'], limits, /PORT is "70000"; a port from 0 to 65535/],
    [['migrate'], limits, /DRAIN_SECONDS is "100"; whole seconds from 0 to 99/],
  ] as const) {
    it(`are refused before there is a database, each that is wrong: ${said.source.slice(0, 40)}`, async () => {
      const ran = await frames([...words], env)
      assert.equal(ran.status, 1)
      assert.match(ran.err, said)
    })
  }
})
