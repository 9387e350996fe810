/**
 * Writes frames or features as GeoPackage 1.3, in one layer named frame or feature: https://www.geopackage.org/spec130/. GDAL 3.6 warns of 1.4,
 * which has other triggers for such a layer and nothing more.
 */
import { writeFileSync } from 'node:fs'
import { geojsonToWkb } from 'hyparquet-writer'
import sqlite from 'node-sqlite3-wasm'
import { geometryBounds, NO_BOUNDS, polygonsOf, union, type Geometry } from '../geometry.js'
import type { Corners } from '../place.js'
import { keyOf, typedColumns, type FileItem, type TableForm, type ValueType } from './columns.js'
import { writeRtree, type RtreeCell } from './rtree.js'

type Layer = 'frame' | 'feature'

const WGS_84 =
  'GEOGCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,298.257223563,AUTHORITY["EPSG","7030"]],AUTHORITY["EPSG","6326"]],PRIMEM["Greenwich",0,AUTHORITY["EPSG","8901"]],UNIT["degree",0.0174532925199433,AUTHORITY["EPSG","9122"]],AXIS["Latitude",NORTH],AXIS["Longitude",EAST],AUTHORITY["EPSG","4326"]]'

/**
 * The numbers say "GPKG" and 1.3. The standard compares the names of types as they stand here. Nobody sees the file before
 * it is whole, so that it needs no journal.
 */
const tablesOf = (layer: Layer, shapes: string) => `
  pragma application_id = 1196444487;
  pragma user_version = 10300;
  pragma journal_mode = off;
  pragma synchronous = off;
  pragma locking_mode = exclusive;
  begin;
  create table gpkg_spatial_ref_sys (
    srs_name TEXT not null, srs_id INTEGER primary key not null, organization TEXT not null,
    organization_coordsys_id INTEGER not null, definition TEXT not null, description TEXT
  );
  insert into gpkg_spatial_ref_sys values
    ('Undefined Cartesian SRS', -1, 'NONE', -1, 'undefined', 'undefined Cartesian coordinate reference system'),
    ('Undefined geographic SRS', 0, 'NONE', 0, 'undefined', 'undefined geographic coordinate reference system'),
    ('WGS 84 geodetic', 4326, 'EPSG', 4326, '${WGS_84}', 'longitude/latitude coordinates in decimal degrees on the WGS 84 spheroid');
  create table gpkg_contents (
    table_name TEXT not null primary key, data_type TEXT not null, identifier TEXT unique, description TEXT default '',
    last_change DATETIME not null default (strftime('%Y-%m-%dT%H:%M:%fZ','now')),
    min_x DOUBLE, min_y DOUBLE, max_x DOUBLE, max_y DOUBLE, srs_id INTEGER,
    constraint fk_gc_r_srs_id foreign key (srs_id) references gpkg_spatial_ref_sys (srs_id)
  );
  insert into gpkg_contents (table_name, data_type, identifier, srs_id) values ('${layer}', 'features', '${layer}', 4326);
  create table gpkg_geometry_columns (
    table_name TEXT not null, column_name TEXT not null, geometry_type_name TEXT not null, srs_id INTEGER not null,
    z TINYINT not null, m TINYINT not null,
    constraint pk_geom_cols primary key (table_name, column_name), constraint uk_gc_table_name unique (table_name),
    constraint fk_gc_tn foreign key (table_name) references gpkg_contents (table_name),
    constraint fk_gc_srs foreign key (srs_id) references gpkg_spatial_ref_sys (srs_id)
  );
  insert into gpkg_geometry_columns values ('${layer}', 'geom', '${shapes}', 4326, 0, 0);
  create table gpkg_extensions (
    table_name TEXT, column_name TEXT, extension_name TEXT not null, definition TEXT not null, scope TEXT not null,
    constraint ge_tce unique (table_name, column_name, extension_name)
  );
  insert into gpkg_extensions values
    ('${layer}', 'geom', 'gpkg_rtree_index', 'http://www.geopackage.org/spec120/#extension_rtree', 'write-only');
  create table rtree_${layer}_geom_node (nodeno INTEGER primary key, data);
  create table rtree_${layer}_geom_rowid (rowid INTEGER primary key, nodeno);
  create table rtree_${layer}_geom_parent (nodeno INTEGER primary key, parentnode);`

const SHAPE = '(new.geom not null and not ST_IsEmpty(new.geom))'
const NO_SHAPE = '(new.geom isnull or ST_IsEmpty(new.geom))'
const putIn = (layer: Layer) =>
  `insert or replace into rtree_${layer}_geom values (new.fid, ST_MinX(new.geom), ST_MaxX(new.geom), ST_MinY(new.geom), ST_MaxY(new.geom))`
const removeFrom = (layer: Layer) => `delete from rtree_${layer}_geom where id`

/** These keep the index true for programs that edit the file, such as QGIS, which have the functions. */
const triggersOf = (layer: Layer): Readonly<Record<string, string>> => ({
  insert: `insert on ${layer} when ${SHAPE} begin ${putIn(layer)}`,
  update1: `update of geom on ${layer} when old.fid = new.fid and ${SHAPE} begin ${putIn(layer)}`,
  update2: `update of geom on ${layer} when old.fid = new.fid and ${NO_SHAPE} begin ${removeFrom(layer)} = old.fid`,
  update3: `update on ${layer} when old.fid != new.fid and ${SHAPE} begin ${removeFrom(layer)} = old.fid; ${putIn(layer)}`,
  update4: `update on ${layer} when old.fid != new.fid and ${NO_SHAPE} begin ${removeFrom(layer)} in (old.fid, new.fid)`,
  delete: `delete on ${layer} when old.geom not null begin ${removeFrom(layer)} = old.fid`,
})

/** SQLite without the module makes no virtual table, but keeps the line that tells others of it. */
const indexOf = (layer: Layer) => `
  ${Object.entries(triggersOf(layer))
    .map(([name, text]) => `create trigger rtree_${layer}_geom_${name} after ${text}; end;`)
    .join('\n  ')}
  pragma writable_schema = on;
  insert into sqlite_schema values ('table', 'rtree_${layer}_geom', 'rtree_${layer}_geom', 0,
    'CREATE VIRTUAL TABLE rtree_${layer}_geom USING rtree(id, minx, maxx, miny, maxy)');
  commit;`

const COLUMN_TYPES: Record<ValueType, string> = { integer: 'INTEGER', number: 'REAL', text: 'TEXT' }

type Values = (string | number | bigint | Uint8Array | null)[]

/** `path` is a new file. The boxes of the frames stay in memory until the end. */
export async function writeGeoPackage(
  path: string,
  frames: AsyncIterable<FileItem> | Iterable<FileItem>,
  table: TableForm,
): Promise<void> {
  const columns = typedColumns(table)
  const { hasFeatures = false, about = '' } = table
  const layer = hasFeatures ? 'feature' : 'frame'
  const shapes = hasFeatures ? 'GEOMETRY' : 'MULTIPOLYGON'
  const names = columns.map(({ name, type }) => `, "${name.replaceAll('"', '""')}" ${COLUMN_TYPES[type]}`).join('')
  const { run, inserting, close } = openFile(path)
  try {
    run(tablesOf(layer, shapes))
    run(`create table ${layer} (
      fid INTEGER primary key autoincrement not null, geom ${shapes}, ${keyOf(table)} ${hasFeatures ? 'TEXT' : 'INTEGER'}${names}
    )`)
    const insert = inserting(layer, 3 + columns.length)
    const cells: RtreeCell[] = []
    for await (const frame of frames) {
      const bounds = geometryBounds(frame.geometry)
      cells.push({ number: cells.length + 1, bounds })
      const values = columns.map(({ read }) => read(frame))
      const key = hasFeatures ? frame.id : BigInt(frame.id)
      insert([cells.length, shapeOf(frame.geometry, bounds, hasFeatures), key, ...values])
    }
    writeRtree(cells, {
      node: inserting(`rtree_${layer}_geom_node`, 2),
      feature: inserting(`rtree_${layer}_geom_rowid`, 2),
      parent: inserting(`rtree_${layer}_geom_parent`, 2),
    })
    const extent = cells.map(({ bounds }) => bounds).reduce(union, NO_BOUNDS)
    if (cells.length > 0) run(`update gpkg_contents set (min_x, min_y, max_x, max_y) = (${extent.join()})`)
    run(`update gpkg_contents set description = ${quoted(about)}`)
    run(indexOf(layer))
  } catch (error) {
    if (!(error instanceof sqlite.SQLite3Error)) throw error
    throw new Error(`The GeoPackage cannot be written: ${error.message}. Is there room on the disk?`, { cause: error })
  } finally {
    close()
  }
}

function openFile(path: string) {
  // A file that SQLite makes may be read by its owner alone, whatever the umask says.
  writeFileSync(path, '')
  const db = new sqlite.Database(path)
  const statements: ReturnType<typeof db.prepare>[] = []
  return {
    run: (text: string) => db.exec(text),
    inserting: (table: string, columns: number) => {
      const statement = db.prepare(`insert into ${table} values (${Array(columns).fill('?').join()})`)
      statements.push(statement)
      return (values: Values) => statement.run(values)
    },
    /** A statement that is not finalised keeps memory. One that failed throws its fault again. */
    close: () => {
      for (const statement of statements) {
        try {
          statement.finalize()
        } catch {
          continue
        }
      }
      db.close()
    },
  }
}

const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`

/** The header of the standard, little-endian, with the box of the shape; then WKB. A frame is always a MultiPolygon. */
function shapeOf(geometry: Geometry, [west, south, east, north]: Corners, isFeature: boolean): Uint8Array {
  const outline = { type: 'MultiPolygon', coordinates: isFeature ? [] : polygonsOf(geometry) } as const
  const wkb = geojsonToWkb(isFeature ? (geometry as never) : outline)
  const blob = Buffer.alloc(40 + wkb.length)
  blob.write('GP')
  blob.writeUInt8(0b11, 3)
  blob.writeInt32LE(4326, 4)
  for (const [i, edge] of [west, east, south, north].entries()) blob.writeDoubleLE(edge, 8 + i * 8)
  blob.set(wkb, 40)
  return blob
}
