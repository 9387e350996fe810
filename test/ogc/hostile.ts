/** Makes filters that no collection reads: each must be refused. The same number makes the same filter. */

const INJECTIONS = [
  '; drop table frame; --',
  "' or '1'='1",
  "'; select pg_sleep(9); --",
  ') or 1=1 --',
  '/* */ or true',
  '$1',
  '$.t0 == $v0',
  '@ > 1',
  '{{7*7}}',
  '${jndi:ldap://x}',
  '\\x27 or 1=1',
  'union select secret_hash from api_key',
  "|| (select 'x')",
  '::text',
  'returning *',
]
const NAMES = [
  '__proto__',
  'constructor',
  'toString',
  'recorded:state',
  'geom',
  'frame_id',
  'state\u0000',
  'km2;',
  '"km2',
  'km2"',
]
const STRANGE = ['ѕtate', 'km²', 'st\u200date', '\u202ekm2', 'k̈m2', 'ＫＭ２', '\u{1f600}', 'ſtate']
const NUMBERS = [
  'NaN',
  'Infinity',
  '-Infinity',
  '1e999',
  '0x10',
  '١٢',
  '1_000',
  '007',
  '1.',
  '1e',
  '--1',
  '1,5',
  'null',
  '1n',
]
const CALLS = [
  'CASEI(state)',
  'ACCENTI(state)',
  'S_WITHIN(geometry',
  'T_AFTER(x',
  'A_CONTAINS(state',
  'pg_sleep(9)',
  'lower(state)',
  'km2 + 1',
  'km2 div 2',
  'km2 ^ 2',
]
const SHAPES = [
  'POLYGON((0 0,1 1,1 0,0 1,0 0))',
  'POLYGON((0 0,1 1,1 0))',
  'POLYGON((0 0,nan 1,1 0,0 0))',
  'POLYGON EMPTY',
  'POINT(0 91)',
  'POINT(1e999 0)',
  'LINESTRING(179 0,-179 0)',
  'CIRCULARSTRING(0 0,1 1,1 0)',
  'GEOMETRYCOLLECTION(POINT(0 0))',
  'BBOX(2,0,1,1)',
  "POLYGON((0 0,1 0,1 1,0 0))'",
  'TRIANGLE((0 0,1 0,1 1,0 0))',
]
const VALUES = ['null', '[]', '{}', '1e999', "'\0'", '(1 + 2)', "DATE('2020-13-01')", 'lga', 'NaN', '@']
const VALUED = [
  (at: string) => `km2 = ${at}`,
  (at: string) => `km2 IN (1, ${at})`,
  (at: string) => `km2 BETWEEN 1 AND ${at}`,
  (at: string) => `km2 > 1 AND ${at}`,
  (at: string) => `NOT (${at})`,
  (at: string) => `state LIKE ${at}`,
]

const of = (list: readonly string[], i: number): string => list[i % list.length] ?? ''
/** Brackets of every kind, nested up to `depth` levels. */
const NESTED: readonly ((depth: number) => string)[] = [
  (depth) => `${'('.repeat(depth)}km2 > 1${')'.repeat(depth)}`,
  (depth) => `${'NOT ('.repeat(depth)}km2 > 1${')'.repeat(depth)}`,
  (depth) => `km2 IN ${'('.repeat(depth)}1${')'.repeat(depth)}`,
  (depth) => `S_INTERSECTS(geometry, POLYGON${'('.repeat(depth)}0 0${')'.repeat(depth)})`,
]

/** Kinds of filters, each made of a number. */
const KINDS: readonly ((i: number) => string)[] = [
  (i) => `km2 > 1 ${of(INJECTIONS, i)}`,
  (i) => `${of(INJECTIONS, i)} km2 > ${i}`,
  (i) => `state = 'MAREMBE' ${i % 2 === 0 ? 'and' : 'or'} ${of(INJECTIONS, i)}`,
  (i) => `"${of(NAMES, i).replaceAll('"', '""')}" = ${i}`,
  (i) => `${of(STRANGE, i)} > ${i}`,
  (i) => `${of(['km2', 'state', 'lga'], i)} ${of(['>', '=', '<>'], i)} ${of(NUMBERS, i)}${of(INJECTIONS, i)}`,
  (i) => `km2 > ${of(NUMBERS, i)}`,
  (i) => `${of(CALLS, i)} = 'x${i}'`,
  (i) => `S_INTERSECTS(geometry, ${of(SHAPES, i)}) and km2 > ${i}`,
  (i) => (VALUED[i % VALUED.length] ?? String)(of(VALUES, i)),
  (i) => JSON.stringify({ op: '=', args: [{ property: of(NAMES, i) }, i] }),
  (i) => (NESTED[i % NESTED.length] ?? String)(30 + ((i * 37) % 300)),
  (i) => `km2 in (${Array.from({ length: 201 + (i % 50) }, (_, n) => n).join()})`,
  (i) => Array.from({ length: 51 + (i % 9) }, () => 'km2 > 1').join(' AND '),
  (i) => `km2 > 1 and ${String.fromCodePoint(0x2000 + (i % 0x6f))}`,
]

export const hostileFilter = (i: number): string => (KINDS[i % KINDS.length] ?? String)(Math.floor(i / KINDS.length))

/** A depth of 10,000, which no address carries, and texts as long as an address. */
export const largeFilters = (): string[] => [
  ...NESTED.map((make) => make(10_000)),
  `km2 > ${'1'.repeat(16_000)}`,
  `state = '${'x'.repeat(16_000)}`,
  `${'a'.repeat(16_000)} = 1`,
  '('.repeat(16_000),
  '['.repeat(16_000),
  `state in (${"'x',".repeat(4000)}'x')`,
]
