/** The documents of /ogc that lead to the items: landing page, conformance, collections, queryables. */
import type { Corners } from '../../core/place.js'
import { CRS84, uriOf } from './crs.js'
import type { Collection, Property } from './collections.js'

export const GEOJSON = 'application/geo+json'
export const OPENAPI = 'application/vnd.oai.openapi+json;version=3.0'
export const SCHEMA_TYPE = 'application/schema+json'
export const JSON_TYPE = 'application/json'

export type Link = { href: string; rel: string; type?: string; title?: string }

export const CONFORMANCE = [
  'http://www.opengis.net/spec/ogcapi-common-1/1.0/conf/core',
  'http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/core',
  'http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/oas30',
  'http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/geojson',
  'http://www.opengis.net/spec/ogcapi-features-2/1.0/conf/crs',
  'http://www.opengis.net/spec/ogcapi-features-3/1.0/conf/queryables',
  'http://www.opengis.net/spec/ogcapi-features-3/1.0/conf/filter',
  'http://www.opengis.net/spec/ogcapi-features-3/1.0/conf/features-filter',
  'http://www.opengis.net/spec/cql2/1.0/conf/cql2-text',
  'http://www.opengis.net/spec/cql2/1.0/conf/basic-cql2',
  'http://www.opengis.net/spec/cql2/1.0/conf/advanced-comparison-operators',
]

/** `root` is the address of /ogc. */
export const landingPage = (root: string) => ({
  title: 'Spatial Frame Index',
  description: 'A national grid of frames, its units, and the datasets that a key may read.',
  links: [
    { href: root, rel: 'self', type: JSON_TYPE, title: 'This document' },
    { href: `${root}/api`, rel: 'service-desc', type: OPENAPI, title: 'The description of this interface' },
    { href: root.replace(/ogc$/, 'docs/gis.md'), rel: 'service-doc', type: 'text/markdown', title: 'How to connect' },
    { href: `${root}/conformance`, rel: 'conformance', type: JSON_TYPE, title: 'The parts of the standard' },
    { href: `${root}/collections`, rel: 'data', type: JSON_TYPE, title: 'The collections' },
  ] satisfies Link[],
})

/** All systems, the one that is stored, and where the frames lie. */
export type ServedExtent = { systems: readonly number[]; extent: Corners | undefined }

export const collectionsDocument = (root: string, collections: readonly Collection[], place: ServedExtent) => ({
  links: [{ href: `${root}/collections`, rel: 'self', type: JSON_TYPE, title: 'This document' }],
  crs: place.systems.map(uriOf),
  collections: collections.map((each) => collectionDocument(root, each, place)),
})

export function collectionDocument(
  root: string,
  { id, title, description }: Collection,
  { systems, extent }: ServedExtent,
) {
  const href = `${root}/collections/${id}`
  return {
    id,
    title,
    description,
    itemType: 'feature',
    // An index without frames has no extent.
    ...(extent && { extent: { spatial: { bbox: [extent], crs: uriOf(CRS84) } } }),
    crs: systems.map(uriOf),
    storageCrs: uriOf(CRS84),
    links: [
      { href, rel: 'self', type: JSON_TYPE, title: 'This document' },
      { href: `${href}/items`, rel: 'items', type: GEOJSON, title },
      {
        href: `${href}/queryables`,
        rel: 'http://www.opengis.net/def/rel/ogc/1.0/queryables',
        type: SCHEMA_TYPE,
        title: 'The properties that a filter may name',
      },
    ] satisfies Link[],
  }
}

export function queryablesDocument(root: string, { id, title }: Collection, properties: readonly Property[]) {
  const schemaOf = ({ title: label, type, unit }: Property) => ({
    title: unit ? `${label} (${unit})` : label,
    type: type === 'number' ? 'number' : 'string',
  })
  return {
    $schema: 'https://json-schema.org/draft/2019-09/schema',
    $id: `${root}/collections/${id}/queryables`,
    title,
    type: 'object',
    properties: {
      geometry: { title: 'Shape', format: 'geometry-any' },
      ...Object.fromEntries(properties.map((each) => [each.name, schemaOf(each)])),
    },
    additionalProperties: false,
  }
}
