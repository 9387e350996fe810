/** Tests that the page about trust shows narratives as they come. */
import assert from 'node:assert/strict'
import { service, startService } from '../support/service.js'
import { startWordingServer } from '../support/wording-server.js'
import { insightOf } from '../insight/ask.js'
import { page, section } from './curls.js'

/** "**frames 1, 2: how many?**", and the narrative below it. */
const EXAMPLE = /^\*\*frames ([\d, ]+)(?:: (.+))?\*\*\n\n((?:> .*\n)+)/gm

describe('the page about trust', () => {
  it('shows narratives as they come', async () => {
    const wording = await startWordingServer()
    const running = await startService(service().database, { wordingUrl: wording.url })
    try {
      const examples = [...section(page('docs/trust.md'), '## Narratives').matchAll(EXAMPLE)]
      assert.ok(examples.length >= 3)
      for (const [, frames = '', question, shown = ''] of examples) {
        const body = { frameIds: frames.split(', '), ...(question === undefined ? {} : { question }) }
        const { narrative, notice } = await insightOf({ url: running.url, secret: running.secret }, body)
        assert.equal(
          shown
            .replaceAll(/^> ?/gm, '')
            .trim()
            .replaceAll(/\n(?!\n)/g, ' '),
          narrative ?? notice,
        )
      }
    } finally {
      await running.stop()
      await wording.close()
    }
  })
})
