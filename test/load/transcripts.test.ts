import { plays } from '../support/transcript.js'
import { collection, feature } from './files.js'
import { importGrid } from './imports.js'

// Letters of four bytes that do not repeat: PostgreSQL cannot compress them.
const letters = (count: number) => String.fromCodePoint(...Array.from({ length: count }, (_, i) => 0x20000 + i * 37))
const [name, longest, remark] = [letters(300), letters(250), letters(251)]
const at = { type: 'Point', coordinates: [0.205, 0.105] }
const schools = Array.from({ length: 201 }, (_, i) =>
  feature(i, at, { name: `School ${i}`, level: i % 2 ? 'Primary' : 'Secondary', pupils: i, blank: ' ' }),
)
const remarks = [feature(1, at, { [name]: longest, remark }), feature(2, at, { [name]: 'b', remark: 'short' })]

plays('load/catalogues', importGrid, {
  'taught.geojson': collection(schools),
  'remarked.csv': `frame_id,${name},remark\n324378020,${longest},short\n324378021,b,${remark}`,
  'remarked.geojson': collection(remarks),
})
plays('load/build', 'empty')
plays('load/frames', 'empty')
plays('load/distances', importGrid)
plays('load/removing', importGrid)
plays('load/sources', importGrid)
plays('load/repeated-units', 'frames')
