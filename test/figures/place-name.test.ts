import { strict as assert } from 'node:assert'
import { placeName } from '../../src/core/place-name.js'

const WRITTEN: readonly [stored: string, written: string][] = [
  ['ALDER HILLS', 'Alder Hills'],
  ['MAREMBE', 'Marembe'],
  ["N'DARA", "N'Dara"],
  ['N’DARA ROAD', 'N’Dara Road'],
  ["KING'S LANDING", "King's Landing"],
  ["MA'ADI", "Ma'adi"],
  ['PRIVY-COUNCIL', 'Privy-Council'],
  ['STRATFORD-UPON-AVON', 'Stratford-upon-Avon'],
  ['ISLE OF PALMS', 'Isle of Palms'],
  ['THE HEAD OF THE BAY', 'The Head of the Bay'],
  ['OF', 'Of'],
  ['HENRY VIII', 'Henry VIII'],
  ['WARD IV/V', 'Ward IV/V'],
  ['GRA 2', 'GRA 2'],
  ['GRA II', 'GRA II'],
  ['OLD MARKET 3', 'Old Market 3'],
  ['RUMUEME (7A)', 'Rumueme (7A)'],
  ['FCT', 'FCT'],
  ['G.R.A. PHASE 1', 'G.R.A. Phase 1'],
  ['ST. MARY', 'St. Mary'],
  ['ST BRIDE', 'St Bride'],
  ['ÉVREUX-EN-HAUT', 'Évreux-En-Haut'],
  ['ẸDẸ NORTH', 'Ẹdẹ North'],
  ['ABA', 'Aba'],
  ['ABA 2', 'Aba 2'],
  ['北京', '北京'],
  ['Alder Hills', 'Alder Hills'],
  ['McDonald GRA', 'McDonald GRA'],
  ['', ''],
]

describe('names of places, as people write them', () => {
  it('have capitals at the start of words, and keep numerals, abbreviations and names that are written so', () => {
    assert.deepEqual(
      WRITTEN.map(([stored]) => [stored, placeName(stored)]),
      WRITTEN,
    )
  })

  it('stay what they are when they are written twice', () => {
    for (const [, written] of WRITTEN) assert.equal(placeName(written), written)
  })
})
