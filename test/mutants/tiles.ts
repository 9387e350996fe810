/** `npm run test:mutants` tries these mutants of the tiles, too, with LONG=1. */
import type { Mutant } from './mutant.js'

const ROUTE = 'dist/src/web/tiles/route.js'
const COLOUR = 'dist/src/web/tiles/colour.js'

export const tileMutants: Mutant[] = [
  {
    breaks: 'tiles show the values of a dataset that costs credits',
    file: COLOUR,
    from: 'if (dataset.price !== null)',
    to: 'if (false)',
    tests: ['tiles/access'],
  },
  {
    breaks: 'the dataset of a tile is looked for among all there are',
    file: 'sql/datasets_in_reach.sql',
    from: '(dataset.org_id = $1::text or granted.layer_id is not null)',
    to: '(dataset.org_id = $1::text or true)',
    tests: ['tiles/access'],
  },
  {
    breaks: 'a browser keeps the tiles of another organisation',
    file: ROUTE,
    from: 'question: [person.orgId, ',
    to: 'question: [',
    tests: ['tiles/access'],
    grep: 'ETag that an answer for another',
  },
  {
    breaks: 'a browser keeps the tiles of a dataset that was imported again',
    file: ROUTE,
    from: 'colour?.dataset.version, ',
    to: '',
    tests: ['tiles/access'],
    grep: 'each import',
  },
  {
    breaks: 'all tiles are read at once',
    file: 'dist/src/web/tiles/turns.js',
    from: 'running < atOnce',
    to: 'true',
    tests: ['tiles/access'],
    grep: 'two at a time',
  },
  {
    breaks: 'tiles are read for maps that moved on',
    file: ROUTE,
    from: 'hangUp.aborted ? undefined : ',
    to: '',
    tests: ['tiles/access'],
    grep: 'two at a time',
  },
  {
    breaks: 'a script without a session is led to the sign-in page',
    file: 'dist/src/web/session.js',
    from: '!req.isFromScript && ',
    to: '',
    tests: ['tiles/access'],
  },
  {
    breaks: 'tiles spend from the bucket of the organisation',
    file: 'dist/src/web/person-authority.js',
    from: "kind === 'map' ? ",
    to: "kind === 'none' ? ",
    tests: ['tiles/access'],
    grep: 'one person',
  },
  {
    breaks: 'the people of an organisation share the bucket of tiles',
    file: 'dist/src/limits/buckets.js',
    from: ':map:${keyId}`',
    to: ':map`',
    tests: ['tiles/access'],
    grep: 'one person',
  },
  {
    breaks: 'outer rings turn the wrong way',
    file: 'dist/src/web/tiles/shape.js',
    from: 'area > 0 !== isOuter',
    to: 'area > 0 === isOuter',
    tests: ['tiles/frames'],
  },
  {
    breaks: 'the margin of a tile at the 180th meridian goes round the earth',
    file: 'sql/functions/tile_box.sql',
    from: 'greatest(ST_XMin(tile), -20037508.342789244)',
    to: 'ST_XMin(tile)',
    tests: ['tiles/frames'],
    grep: 'are empty',
  },
  {
    breaks: 'units have the totals of another dataset',
    file: 'sql/tiles/units_of_attribute.sql',
    from: 'unit_total.version = chosen.version and ',
    to: '',
    tests: ['tiles/totals'],
  },
  {
    breaks: 'neighbours simplify their common edge in different ways',
    file: 'sql/tiles/units.sql',
    from: 'ST_Simplify(ST_SnapToGrid(shape, 4), 0.1)',
    to: 'ST_Simplify(shape, 40)',
    tests: ['tiles/units'],
  },
]
