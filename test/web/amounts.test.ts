import assert from 'node:assert/strict'
import { countText, valueText } from '../../src/app/shell/amounts.js'

describe('the amounts on pages', () => {
  it('stand in the singular for one', () => {
    assert.deepEqual(
      [countText(1, 'feature'), countText(2, 'feature'), countText(1200, 'LGA')],
      ['1 feature', '2 features', '1,200 LGAs'],
    )
    assert.deepEqual(
      [valueText('1', 'languages'), valueText('2', 'languages'), valueText('1', 'people'), valueText('1.0', 'm')],
      ['1 language', '2 languages', '1 person', '1.0 m'],
    )
    assert.equal(valueText('Forest', null), 'Forest')
  })
})
