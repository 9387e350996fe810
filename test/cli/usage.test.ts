import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { commands } from '../../src/tools/cli/program.js'
import { projectFolder } from '../../src/core/db/statement.js'
import { frames, wordsOf } from '../support/cli.js'

const linesOf = (path: string) => readFileSync(new URL(path, projectFolder), 'utf8').trimEnd().split('\n')

/** No command gets as far as a database here. */
const ask = (...words: string[]) => frames(words, { DATA_DIR: '/nonexistent' })

describe('the usage of the command line', function () {
  this.timeout(60_000)

  it('lists every command when help is asked for, each with a line', async () => {
    const asked = await ask('--help')
    assert.deepEqual([asked.status, asked.err, asked.out], [0, '', (await ask('help')).out])
    const listed = [...asked.out.matchAll(/^ {2}([\w-]+)(?: \[command\])? {2,}\S/gm)].map(([, name]) => name)
    assert.deepEqual(listed.slice(-Object.keys(commands).length - 1), [...Object.keys(commands), 'help'])
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
    assert.match((await ask('--help')).out, /--version +prints the version/)
  })

  it('explains every option and operand of every command, with limits and defaults', async () => {
    for (const [name, load] of Object.entries(commands)) {
      const command = await load()
      const forms = 'form' in command ? [[name, command.form] as const] : Object.entries(command.verbs)
      for (const [verb, form] of forms) {
        const { status, out, err } = await ask(...(verb === name ? [name] : [name, verb]), '--help')
        assert.deepEqual([status, err], [0, ''], name)
        const said = out.replaceAll(/\s+/g, ' ')
        assert.ok(said.includes(form.description), form.description)
        for (const [arg, { kind, value, description, unset }] of Object.entries(form.args ?? {})) {
          const within = value ? ` (${value.accepts.replace(/,$/, '')})` : ''
          const without = unset === undefined ? '' : ` Default: ${unset}.`
          const spelling = kind === 'operand' ? '' : `--${arg}${value ? ' ' : ''}`
          const place = !value ? '' : kind === 'operand' ? value.name : `<${value.name}>`
          assert.ok(said.includes(`${spelling}${place} ${description}${within}.${without}`), `${name} ${arg}`)
          const usageHas = kind === 'operand' || kind === 'required' ? ` ${spelling}${value?.name} ` : ` [${spelling}`
          assert.ok(out.split('\n')[0]?.includes(usageHas), `${name} ${arg}`)
          const isOpen = kind === 'optional' && !(form.oneOf ?? []).includes(arg)
          assert.ok(!isOpen || unset !== undefined || OPEN.has(arg), `${arg}: default?`)
        }
      }
    }
  })

  /** Options whose absence says what it means: nothing is narrowed by them. */
  const OPEN = new Set(['lga', 'ward', 'key'])

  it('names the verbs of a command, each with a line, and prints the help of one alone', async () => {
    assert.match((await ask('keys', '--help')).out, /^ {2}mint +Mints a key[\s\S]*^ {2}revoke +Revokes a key/m)
    const { out } = await ask('keys', 'revoke', '--help')
    assert.match(out, /^Usage: npm run -s frames -- keys revoke KEY \[--json\]\n/)
    assert.doesNotMatch(out, /mint/)
  })

  /** `{}` in words and sentence stands for each of the values. */
  type WrongWords = [words: string, sentence: string, usage: string, values?: string[]]
  for (const [words, sentence, usage, values = ['']] of linesOf('test/cli/wrong-words.jsonl').map(
    (row) => JSON.parse(row) as WrongWords,
  )) {
    it(`is printed after a wrong usage, with status 2: ${words}`, async () => {
      for (const value of values) {
        const { status, out, err } = await ask(...wordsOf(words.replace('{}', value)))
        assert.deepEqual([status, out], [2, ''], value)
        const said = `${sentence.replace('{}', value)}\n\nUsage: npm run -s frames -- ${usage}`.trimStart()
        assert.equal(err.slice(0, said.length), said)
        assert.match(err, /--help" explains|^ {2}\w+ +\w/m)
      }
    })
  }

  it('says in a sentence that a file is not there', async () => {
    const { status, err } = await ask('verify', '/nonexistent/answer.json')
    assert.deepEqual([status, err], [1, 'There is no file /nonexistent/answer.json.\n'])
  })
})

describe('the settings of the command line', () => {
  const rows = linesOf('test/cli/wrong-settings.jsonl').map(
    (row) => JSON.parse(row) as [Record<string, string>, string],
  )
  for (const [settings, said] of rows)
    it(`are refused before there is a database, each that is wrong: ${said.slice(0, 80)}`, async () => {
      const { status, err } = await frames(['migrate'], { DATA_DIR: '/dev/null/none', ...settings })
      assert.deepEqual([status, err], [1, `The settings are not right: ${said}\n`])
    })

  it('have two ports', async () => {
    const { status, err } = await frames(['serve'], { PORT: '4000', OPS_PORT: '4000', DATA_DIR: '/nonexistent' })
    const said = 'PORT and OPS_PORT are both 4000; two different ports are needed, or 0 for any free one.\n'
    assert.deepEqual([status, err], [1, said])
  })
})
