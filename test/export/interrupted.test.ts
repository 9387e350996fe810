import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { projectFolder } from '../../src/core/db/statement.js'
import { frames, startFrames } from '../support/cli.js'
import { startRelay } from '../support/relay.js'
import { service, startService } from '../support/service.js'
import { box, env, exportFolder, idsWhere, IN_UNIT, unit } from './setup.js'

const run = promisify(execFile)

describe('an export that is interrupted', function () {
  this.timeout(120_000)
  const { folder, at, relay, words, linesOf } = exportFolder()

  for (const [what, which, file] of [
    ['a unit', [...unit, '--with-units'], 'whole.geojsonl'],
    ['a box', box, 'whole.csv'],
  ] as const) {
    it(`of ${what} refuses a second run meanwhile, and gives the same bytes when it is killed and run again`, async () => {
      const straight = await relay()
      assert.equal((await frames(words(straight.url, file, which), env())).status, 0)
      const wholeFile = readFileSync(at(file))
      rmSync(at(file))

      let stopAt = 6
      let reached = () => {}
      const waiting = new Promise<void>((done) => (reached = done))
      const cut = await relay((call) => {
        if (call >= stopAt) reached()
        return call < stopAt
      })
      const killed = startFrames(words(cut.url, file, which), env())
      await waiting
      const second = await frames(words(service().url, file, which), env())
      assert.equal(second.status, 1)
      assert.match(second.err, new RegExp(`Process ${killed.child.pid} is exporting to `))
      killed.child.kill('SIGKILL')
      await killed.ended
      assert.ok(!existsSync(at(file)), 'a file that is not whole has not the name of one')
      const part = readFileSync(at(`${file}.part`))
      assert.ok(part.length > 0 && part.length < wholeFile.length)
      // A line that was not written whole: what a crash may leave.
      writeFileSync(at(`${file}.part`), part.subarray(0, part.length - 7))

      const before = cut.calls().length
      stopAt = Infinity
      const ran = await frames(words(cut.url, file, which), env())
      assert.equal(ran.status, 0, ran.err)
      assert.ok(readFileSync(at(file)).equals(wholeFile), 'the same bytes')
      assert.match(ran.err, /going on after \d+ frames/)
      const fewer = straight.calls().length - (cut.calls().length - before)
      if (what !== 'a box') assert.ok(fewer > 0, 'fewer calls than from the start')
    })
  }

  it('begins anew if the file was begun for another question', async () => {
    let broken = true
    const cut = await relay((call) => (call < 4 || !broken ? true : 500))
    const failed = await frames(words(cut.url, 'out.geojsonl'), env())
    assert.equal(failed.status, 1)
    assert.ok(existsSync(at('out.geojsonl.part')))
    broken = false
    const ran = await frames(
      words(cut.url, 'out.geojsonl', ['--state', 'marembe', '--lga', 'central', '--ward', 'town hall']),
      env(),
    )
    assert.equal(ran.status, 0, ran.err)
    assert.doesNotMatch(ran.err, /going on/)
    assert.deepEqual(
      linesOf('out.geojsonl').map(({ id }) => id),
      await idsWhere(`state = 'MAREMBE' and lga = 'CENTRAL' and ward = 'TOWN HALL'`),
    )
  })

  it('retries once after a failure of the server, and keeps the lines that it has', async () => {
    const once = await relay((call) => (call === 3 ? 500 : true))
    const ran = await frames(words(once.url, 'once.geojsonl'), env())
    assert.equal(ran.status, 0, ran.err)
    assert.match(ran.err, /status 500: trying once more/)
    const twice = await relay((call) => (call === 3 || call === 4 ? 500 : true))
    const failed = await frames(words(twice.url, 'twice.geojsonl'), env())
    assert.equal(failed.status, 1)
    assert.match(failed.err, /Something broke\. \(internal\)/)
    assert.equal(twice.calls().length, 4)
    assert.equal(linesOf('twice.geojsonl.part').length, 50)
  })

  it('waits as long as Retry-After says when a bucket is spent, and loses nothing', async () => {
    const big = { burst: 9000, perMinute: 9000 }
    const slow = await startService(service().database, {
      buckets: { key: { burst: 1, perMinute: 60 }, organisation: big, insight: big },
    })
    const through = await startRelay(slow.url)
    try {
      const ran = await frames(words(through.url, 'slow.csv', unit, '5000'), {
        FRAMES_KEY: slow.secret,
      })
      assert.equal(ran.status, 0, ran.err)
      const ids = await idsWhere(IN_UNIT)
      assert.equal(readFileSync(at('slow.csv'), 'utf8').trimEnd().split('\n').length, 1 + ids.length)
      // The export asks for the tag, the frames and the tag again: one call passes at once, each other one after a
      // wait.
      const waits = [...ran.err.matchAll(/waiting (\d+) s: .*\(rate_limited\)/g)].length
      assert.ok(waits === 1 || waits === 2, ran.err)
      assert.equal(through.calls().length, 3 + waits)
    } finally {
      await through.close()
      await slow.stop()
    }
  })

  it('prints the message of the API about a wrong key, and ends with status 1', async () => {
    const ran = await frames(['export', ...unit, '--url', service().url, '--key', 'svc_sk_wrong', at('out.csv')], {})
    assert.equal(ran.status, 1)
    assert.match(ran.err, /refused: .*\(invalid_key\)/)
    assert.deepEqual(readdirSync(folder()), [])
  })

  it('says that nothing answers at an address, and ends with status 1', async () => {
    const gone = await startRelay(service().url)
    await gone.close()
    const ran = await frames(words(gone.url, 'out.csv'), env())
    assert.equal(ran.status, 1)
    assert.match(ran.err, /cannot be reached: ECONNREFUSED/)
  })

  it('keeps the lines that it has when the disk is full, and goes on from there', async () => {
    const program = fileURLToPath(new URL('dist/src/main.js', projectFolder))
    const line = `ulimit -f 40; exec "${process.execPath}" "${program}" ${words(service().url, 'out.geojsonl')
      .map((word) => `'${word}'`)
      .join(' ')}`
    const { PATH } = process.env
    const full = await run('sh', ['-c', line], { env: { PATH, ...env() } }).catch(
      (error: { code: number; stderr: string }) => error,
    )
    assert.equal((full as { code?: number }).code, 1)
    assert.match(full.stderr, /EFBIG/)
    assert.ok(linesOfPart('out.geojsonl') >= 50)
    const ran = await frames(words(service().url, 'out.geojsonl'), env())
    assert.equal(ran.status, 0, ran.err)
    assert.match(ran.err, /going on after/)
    assert.deepEqual(
      linesOf('out.geojsonl').map(({ id }) => id),
      await idsWhere(IN_UNIT),
    )
  })
  const linesOfPart = (file: string) => readFileSync(at(`${file}.part`), 'utf8').split('\n').length - 1

  it('begins anew when the index changes, and never mixes lines of two indexes', async () => {
    const change = (by: number) =>
      service().db.rows('update index_generation set generation = generation + $1::int', [by])
    const through = await relay(async (call) => {
      if (call === 4) await change(1)
      return true
    })
    try {
      const ran = await frames(words(through.url, 'out.geojsonl'), env())
      assert.equal(ran.status, 0, ran.err)
      assert.match(ran.err, /the index changed meanwhile: beginning anew/)
      assert.deepEqual(
        linesOf('out.geojsonl').map(({ id }) => id),
        await idsWhere(IN_UNIT),
      )
    } finally {
      await change(-1)
    }
  })
})
