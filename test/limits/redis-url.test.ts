import assert from 'node:assert/strict'
import { redisSetting } from '../../src/core/limits/redis-url.js'

/** The setting, with the URL that it makes of two servers. */
function read(text: string) {
  const setting = redisSetting(text)
  if (!setting || setting.kind === 'server') return setting
  const { urlOf, ...rest } = setting
  return { ...rest, urls: [urlOf('10.0.0.1', 7000), urlOf('::1', 7001)] }
}

/** test/cli/wrong-settings.jsonl has what is refused. */
describe('REDIS_URL', () => {
  it('names one server', () => {
    for (const url of ['redis://a', 'rediss://:x@a:1', 'redis://u:p@[::1]:1/2'])
      assert.deepEqual(read(url), { kind: 'server', url })
  })

  it('names Sentinels and the primary; the login is that of the servers', () => {
    assert.deepEqual(read('redis+sentinel://a,b:1, [::1]:2/grid'), {
      kind: 'sentinel',
      sentinels: ['redis://a:26379', 'redis://b:1', 'redis://[::1]:2'],
      primary: 'grid',
      urls: ['redis://10.0.0.1:7000', 'redis://[::1]:7001'],
    })
    assert.deepEqual(read('rediss+sentinel://u:p%40@a/my-grid.1?sentinel_password=x%2F'), {
      kind: 'sentinel',
      sentinels: ['rediss://:x%2F@a:26379'],
      primary: 'my-grid.1',
      urls: ['rediss://u:p%40@10.0.0.1:7000', 'rediss://u:p%40@[::1]:7001'],
    })
  })
})
