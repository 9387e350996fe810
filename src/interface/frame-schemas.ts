/** Frames, their geometry and their administrative units, as the description names them. */
import { FRAMES_MAX, schemas } from '../http/param-schemas.js'
import { list, object, ref, text, type Members, type Schema } from './schema.js'

const position = list({ type: 'number' }, { minItems: 2, maxItems: 2, description: 'Longitude, latitude; degrees.' })
const ring = list(position, { minItems: 4 })

/** The type comes first, so that a validator tells at once which of the shapes it has before it. */
const shape = (type: string, coordinates: Schema): Schema =>
  object(`A GeoJSON ${type}.`, { type: { type: 'string', const: type }, coordinates })

const bboxOf = { type: 'number', description: 'Degrees, WGS 84.' }

export const frameSchemas: Members = {
  Point: shape('Point', position),
  MultiPoint: shape('MultiPoint', list(position)),
  LineString: shape('LineString', list(position, { minItems: 2 })),
  MultiLineString: shape('MultiLineString', list(list(position, { minItems: 2 }))),
  Polygon: shape('Polygon', list(ring)),
  MultiPolygon: shape('MultiPolygon', list(list(ring))),
  Geometry: {
    description:
      'A GeoJSON geometry (RFC 7946): `type` and `coordinates`, longitude before latitude. A frame is a Polygon, or a MultiPolygon where a boundary cuts it into parts; exterior rings run counterclockwise.',
    oneOf: ['Polygon', 'MultiPolygon', 'Point', 'MultiPoint', 'LineString', 'MultiLineString'].map(ref),
  },
  BBox: list(bboxOf, { description: 'minLon, minLat, maxLon, maxLat.', minItems: 4, maxItems: 4 }),
  FrameId: { ...schemas.frameId, description: 'The id of a frame: digits, stable for as long as the index lives.' },
  FrameAdmin: object(
    'The administrative units of a frame, in upper case. Absent from a frame where the index has none.',
    { state: text('State.'), lga: text('Local government area.') },
    {
      stateCode: text('Code of the state.'),
      lgaCode: text('Code of the local government area.'),
      ward: text('Ward.'),
      wardCode: text('Code of the ward.'),
      zone: text('Zone, a group of states.'),
      zoneCode: text('Code of the zone.'),
    },
  ),
  Frame: object(
    'A cell of the grid, about 0.01 degrees across.',
    { id: ref('FrameId'), geometry: ref('Geometry'), bbox: ref('BBox') },
    { admin: ref('FrameAdmin') },
  ),
  FrameFeature: object('A frame as a GeoJSON Feature.', {
    type: { type: 'string', const: 'Feature' },
    id: ref('FrameId'),
    geometry: ref('Geometry'),
    properties: { type: 'object', description: 'Always empty: GeoJSON asks for it.', additionalProperties: false },
  }),
  FrameCollection: object(
    'Frames as a GeoJSON FeatureCollection, in the order of their ids; empty where nothing matches.',
    {
      type: { type: 'string', const: 'FeatureCollection' },
      features: list(ref('FrameFeature'), { maxItems: FRAMES_MAX }),
    },
    {
      truncated: {
        type: 'boolean',
        const: true,
        description: 'There when the box or the unit holds more frames than this answer carries.',
      },
      next: {
        ...schemas.frameId,
        description: 'There on a page of a unit that is not the last: send it as `after`. Never there for a box.',
      },
    },
  ),
}

const count: Schema = { type: 'integer', minimum: 0, description: 'How many frames it has.' }
const state = { state: text('Name, in upper case.') }
const lga = { lga: text('Name, in upper case.') }
const ward = { ward: text('Name, in upper case.') }
const stateCodes = { stateCode: text('Code.'), zone: text('Zone.'), zoneCode: text('Code of the zone.') }
const lgaCode = { lgaCode: text('Code.') }
const wardCode = { wardCode: text('Code.') }

export const unitSchemas: Members = {
  State: object('A state. Codes and zone are absent where none is recorded.', { ...state, frames: count }, stateCodes),
  Lga: object('A local government area.', { ...state, ...lga, frames: count }, lgaCode),
  Ward: object('A ward.', { ...state, ...lga, ...ward, frames: count }, wardCode),
  AdminTree: object('The administrative units as a tree.', { states: list(ref('AdminState')) }),
  AdminState: object('A state and its areas.', { ...state, frames: count, lgas: list(ref('AdminLga')) }, stateCodes),
  AdminLga: object(
    'A local government area of the state above it; its wards only when a state was named.',
    { ...lga, frames: count },
    { ...lgaCode, wards: list(ref('AdminWard')) },
  ),
  AdminWard: object('A ward of the area above it.', { ...ward, frames: count }, wardCode),
}
