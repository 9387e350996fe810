import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { projectFolder } from '../../src/db/statement.js'
import { service } from '../support/service.js'

const run = promisify(execFile)
const program = fileURLToPath(new URL('dist/src/main.js', projectFolder))
const page = readFileSync(new URL('sql/README.md', projectFolder), 'utf8')
const section = (title: string) => page.split(`## ${title}\n`)[1]?.split('\n## ')[0] ?? ''
const blocks = (text: string, language: string) =>
  [...text.matchAll(new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``, 'g'))].map((block) => block[1] ?? '')
const linesOf = (title: string) => blocks(section(title), 'sh').flatMap((block) => block.split('\n').filter(Boolean))

describe('the page for analysts is right', function () {
  this.timeout(120_000)
  let env: Record<string, string | undefined>
  before(() => {
    const { target } = service().database
    const { PATH } = process.env
    env = { PATH, ...(typeof target === 'string' ? { DATABASE_URL: target } : { DATA_DIR: target.host }) }
  })

  /** Runs the line in a shell, but without npm, which would compile anew. */
  const inNode = (line: string) => line.replace(/^npm run -s frames --/, `'${process.execPath}' '${program}'`)
  const paste = async (line: string) => (await run('sh', ['-c', inNode(line)], { env })).stdout

  it('about what a call runs', async () => {
    const lines = linesOf('See what a call runs')
    assert.equal(lines.length, 4)
    const [first = '', question = '', data = '', prepared = ''] = await Promise.all(lines.map(paste))
    for (const piece of blocks(section('See what a call runs'), 'text')[0]?.split('...\n') ?? [''])
      assert.ok(first.includes(piece), piece)
    assert.match(question, /-- words_of_question: [\s\S]*'\{how,many,people[,}]/)
    assert.match(data, /asked by organisation Rich Survey [\s\S]*'\{lyr_population\}'::text\[\]/)
    assert.match(
      prepared,
      /\nprepare frames_at \(float8\[\], float8\[\]\) as\n[\s\S]*\nexecute frames_at \('\{0\.205\}', '\{0\.105\}'\);/,
    )
  })

  it('about plans', async () => {
    const [line = ''] = linesOf('Read its plans')
    assert.match(
      await paste(line),
      /Index Scan using frame_state_frame_id_idx[\s\S]*=> Within its budget: buffers[\s\S]*=> Nothing to do\.\n$/,
    )
  })

  it('about other indexes', async () => {
    const [line = ''] = linesOf('Try an index')
    const { ownerTarget: target } = service().database
    const owner = typeof target === 'string' ? { DATABASE_URL: target } : {}
    const { stdout } = await run('sh', ['-c', inNode(line)], { env: { ...env, ...owner } })
    assert.match(
      stdout,
      /^With frame_geom_idx1 on frame: built in [\s\S]*\nRolled back: the indexes are as they were\.\n$/m,
    )
  })

  it('about budgets, which are those of a file', () => {
    const [budget = ''] = blocks(section('Budgets'), 'text')
    assert.ok(readFileSync(new URL('sql/frames_in_state.sql', projectFolder), 'utf8').includes(budget))
  })
})
