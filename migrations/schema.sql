-- The schema that the migrations make, by pg_dump. Functions are left out: sql/functions/ holds them.
-- "npm run schema" writes this file, and a test compares it with a new database.

CREATE SCHEMA analyst;

COMMENT ON SCHEMA analyst IS 'Views for analysts. The program makes and changes them, so keep your own views in another schema.';

CREATE EXTENSION IF NOT EXISTS postgis WITH SCHEMA public;

COMMENT ON EXTENSION postgis IS 'PostGIS geometry and geography spatial types and functions';

CREATE TABLE public.attribute (
    layer_id text NOT NULL,
    name text NOT NULL,
    place integer NOT NULL,
    label text NOT NULL,
    unit text,
    type text NOT NULL,
    summary text NOT NULL,
    weight text,
    description text,
    synonyms text[] DEFAULT '{}'::text[] NOT NULL,
    method text,
    noun text,
    plural text,
    lower text,
    upper text,
    draws text,
    repeats text,
    shared text[],
    verbs text[] DEFAULT '{}'::text[] NOT NULL,
    adjectives text[] DEFAULT '{}'::text[] NOT NULL,
    antonyms text[] DEFAULT '{}'::text[] NOT NULL,
    CONSTRAINT attribute_name_not_blank CHECK ((btrim(name) <> ''::text)),
    CONSTRAINT attribute_type_known CHECK ((type = ANY (ARRAY['number'::text, 'category'::text]))),
    CONSTRAINT bounds_are_two CHECK (((lower IS NULL) = (upper IS NULL))),
    CONSTRAINT draws_or_bounds CHECK (((draws IS NULL) OR ((summary = 'sum'::text) AND (lower IS NULL)))),
    CONSTRAINT only_numbers_are_summed CHECK (((type = 'number'::text) OR (summary = ANY (ARRAY['mode'::text, 'none'::text])))),
    CONSTRAINT repeated_level_known CHECK ((repeats = ANY (ARRAY['lga'::text, 'ward'::text]))),
    CONSTRAINT summary_known CHECK ((summary = ANY (ARRAY['sum'::text, 'mean'::text, 'weighted_mean'::text, 'mode'::text, 'none'::text]))),
    CONSTRAINT weighted_by_something CHECK (((summary = 'weighted_mean'::text) = (weight IS NOT NULL)))
);

COMMENT ON TABLE public.attribute IS 'The catalogue: what each attribute of a baseline means and how it is summarised over frames.';

COMMENT ON COLUMN public.attribute.layer_id IS 'The dataset.';

COMMENT ON COLUMN public.attribute.name IS 'Its name in the rows.';

COMMENT ON COLUMN public.attribute.place IS 'Its place among the columns, from 1.';

COMMENT ON COLUMN public.attribute.label IS 'Its name for people.';

COMMENT ON COLUMN public.attribute.unit IS 'Unit of its values, where they have one.';

COMMENT ON COLUMN public.attribute.type IS 'number or category.';

COMMENT ON COLUMN public.attribute.summary IS 'How several frames are summarised: sum, mean, weighted_mean (by weight), mode (the commonest value), or none.';

COMMENT ON COLUMN public.attribute.weight IS 'The weight of a weighted mean: area, or an attribute of the same dataset.';

COMMENT ON COLUMN public.attribute.description IS 'Description for people, where recorded.';

COMMENT ON COLUMN public.attribute.synonyms IS 'Other words that people use for it.';

COMMENT ON COLUMN public.attribute.method IS 'How its values were made, such as modelled estimate, where recorded.';

COMMENT ON COLUMN public.attribute.noun IS 'One of what its values count or measure, such as person, as sentences say it.';

COMMENT ON COLUMN public.attribute.plural IS 'Several of them, such as people.';

COMMENT ON COLUMN public.attribute.lower IS 'The attribute of the same dataset that has the lower bound of each value, where the file has bounds.';

COMMENT ON COLUMN public.attribute.upper IS 'The attribute that has the upper bound.';

COMMENT ON COLUMN public.attribute.draws IS 'The column of the file that had the draws of the model, where it has any: frame_interval keeps them.';

COMMENT ON COLUMN public.attribute.repeats IS 'lga or ward, where most of its values are the name of the unit that the frame lies in.';

COMMENT ON COLUMN public.attribute.shared IS 'Its values that several of these units have as their name; null where no release has looked. Function unit_class tells such units apart.';

COMMENT ON COLUMN public.attribute.verbs IS 'Verbs that say nothing more beside its name: languages are spoken.';

COMMENT ON COLUMN public.attribute.adjectives IS 'What a frame with a high value is: steep.';

COMMENT ON COLUMN public.attribute.antonyms IS 'What a frame with a low value is: flat.';

COMMENT ON CONSTRAINT attribute_name_not_blank ON public.attribute IS 'A name is not blank.';

COMMENT ON CONSTRAINT attribute_type_known ON public.attribute IS 'A type is number or category.';

COMMENT ON CONSTRAINT bounds_are_two ON public.attribute IS 'A value has a lower and an upper bound, or none.';

COMMENT ON CONSTRAINT draws_or_bounds ON public.attribute IS 'Draws are added up, and give the bounds of each frame by themselves.';

COMMENT ON CONSTRAINT only_numbers_are_summed ON public.attribute IS 'A category has mode or none for its summary.';

COMMENT ON CONSTRAINT repeated_level_known ON public.attribute IS 'The names of LGAs and of wards repeat in a country.';

COMMENT ON CONSTRAINT summary_known ON public.attribute IS 'A summary is sum, mean, weighted_mean, mode or none.';

COMMENT ON CONSTRAINT weighted_by_something ON public.attribute IS 'A weighted mean has a weight, and no other summary has one.';

CREATE TABLE public.dataset (
    layer_id text NOT NULL,
    org_id text NOT NULL,
    name text NOT NULL,
    category text NOT NULL,
    kind text NOT NULL,
    vintage text,
    description text,
    synonyms text[] DEFAULT '{}'::text[] NOT NULL,
    version bigint NOT NULL,
    items bigint NOT NULL,
    imported_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    distance_to text,
    origin jsonb DEFAULT '{}'::jsonb NOT NULL,
    property_entries jsonb DEFAULT '{}'::jsonb NOT NULL,
    CONSTRAINT category_not_blank CHECK ((btrim(category) <> ''::text)),
    CONSTRAINT dataset_kind_known CHECK ((kind = ANY (ARRAY['frames'::text, 'points'::text, 'lines'::text, 'polygons'::text]))),
    CONSTRAINT dataset_name_not_blank CHECK ((btrim(name) <> ''::text)),
    CONSTRAINT layer_id_form CHECK ((layer_id ~ '^lyr_\w+$'::text)),
    CONSTRAINT origin_is_object CHECK ((jsonb_typeof(origin) = 'object'::text)),
    CONSTRAINT property_entries_are_object CHECK ((jsonb_typeof(property_entries) = 'object'::text))
);

COMMENT ON TABLE public.dataset IS 'Datasets: a baseline has one row for each frame, any other has features.';

COMMENT ON COLUMN public.dataset.layer_id IS 'lyr_ and a name, which callers use.';

COMMENT ON COLUMN public.dataset.org_id IS 'The organisation that owns it and reads it without licence or charge.';

COMMENT ON COLUMN public.dataset.name IS 'Name for people.';

COMMENT ON COLUMN public.dataset.category IS 'Category for people, such as Population.';

COMMENT ON COLUMN public.dataset.kind IS 'frames: a baseline; points, lines, polygons: features.';

COMMENT ON COLUMN public.dataset.vintage IS 'The time that its values describe, where recorded.';

COMMENT ON COLUMN public.dataset.description IS 'Description for people, where recorded.';

COMMENT ON COLUMN public.dataset.synonyms IS 'Other words that people use for it.';

COMMENT ON COLUMN public.dataset.version IS 'Version of the rows that are served. Each import has a new number.';

COMMENT ON COLUMN public.dataset.items IS 'Rows or features it has, counted at import.';

COMMENT ON COLUMN public.dataset.imported_at IS 'Instant at which these rows were put in place.';

COMMENT ON COLUMN public.dataset.distance_to IS 'The dataset of features to which a baseline records the distance of each frame; null for other datasets. Who reads the features reads it, at their price.';

COMMENT ON COLUMN public.dataset.origin IS 'Where it comes from: an object with licence, source, url, citation, released and flags, as far as its owner gave them.';

COMMENT ON COLUMN public.dataset.property_entries IS 'Entries of the properties of its features, by their names: label, unit, summary, and words as an attribute has them.';

COMMENT ON CONSTRAINT category_not_blank ON public.dataset IS 'A category is not blank.';

COMMENT ON CONSTRAINT dataset_kind_known ON public.dataset IS 'A kind is frames, points, lines or polygons.';

COMMENT ON CONSTRAINT dataset_name_not_blank ON public.dataset IS 'A name is not blank.';

COMMENT ON CONSTRAINT layer_id_form ON public.dataset IS 'A layer id is lyr_ and letters, digits or underscores.';

COMMENT ON CONSTRAINT origin_is_object ON public.dataset IS 'The origin is an object of JSON.';

COMMENT ON CONSTRAINT property_entries_are_object ON public.dataset IS 'The entries of properties are an object of JSON.';

CREATE TABLE public.property (
    layer_id text NOT NULL,
    name text NOT NULL,
    type text NOT NULL,
    items bigint NOT NULL,
    CONSTRAINT property_name_not_blank CHECK ((btrim(name) <> ''::text)),
    CONSTRAINT property_type_known CHECK ((type = ANY (ARRAY['number'::text, 'category'::text])))
);

COMMENT ON TABLE public.property IS 'The properties of features, as their import found them: function classes_keep makes these rows.';

COMMENT ON COLUMN public.property.layer_id IS 'The dataset.';

COMMENT ON COLUMN public.property.name IS 'Its name among the properties.';

COMMENT ON COLUMN public.property.type IS 'number where every value is a plain decimal, else category.';

COMMENT ON COLUMN public.property.items IS 'Features that record it.';

COMMENT ON CONSTRAINT property_name_not_blank ON public.property IS 'A name is not blank.';

COMMENT ON CONSTRAINT property_type_known ON public.property IS 'A type is number or category.';

CREATE VIEW analyst.attribute AS
 SELECT attribute.layer_id,
    dataset.name AS dataset,
    attribute.place,
    attribute.name,
        CASE
            WHEN (shown.turn <= 1500) THEN shown.column_name
            ELSE NULL::text
        END AS column_name,
    attribute.label,
    attribute.unit,
    attribute.type,
    attribute.summary,
    attribute.weight,
    attribute.description,
    attribute.repeats,
    attribute.shared,
    attribute.method,
    COALESCE(attribute.lower, given.lower) AS lower,
    COALESCE(attribute.upper, given.upper) AS upper,
    given.draws,
    dataset.vintage
   FROM (((public.dataset
     CROSS JOIN LATERAL ( SELECT unnest(array_agg(each.name ORDER BY each.place)) AS name,
            unnest(public.analyst_columns(array_agg(each.name ORDER BY each.place), public.analyst_taken('frames'::text))) AS column_name,
            generate_series((1)::bigint, count(*)) AS turn
           FROM public.attribute each
          WHERE (each.layer_id = dataset.layer_id)) shown)
     JOIN public.attribute ON (((attribute.layer_id = dataset.layer_id) AND (attribute.name = shown.name))))
     CROSS JOIN LATERAL ( SELECT max(added.added) FILTER (WHERE (part.part = 'lower'::text)) AS lower,
            max(added.added) FILTER (WHERE (part.part = 'upper'::text)) AS upper,
            max(added.added) FILTER (WHERE (part.part = 'draws'::text)) AS draws
           FROM (unnest(ARRAY['lower'::text, 'upper'::text, 'draws'::text]) part(part)
             CROSS JOIN LATERAL concat(shown.column_name, '_', part.part) added(added))
          WHERE ((attribute.draws IS NOT NULL) AND (shown.turn <= 1500) AND (NOT (EXISTS ( SELECT
                   FROM public.attribute each
                  WHERE ((each.layer_id = dataset.layer_id) AND (each.name = added.added))))))) given)
UNION ALL
 SELECT dataset.layer_id,
    dataset.name AS dataset,
    listed.place,
    listed.name,
    ( SELECT (pg_attribute.attname)::text AS attname
           FROM pg_attribute
          WHERE ((pg_attribute.attrelid = (to_regclass(format('analyst.%I'::text, public.analyst_name(dataset.layer_id))))::oid) AND (pg_attribute.attname = listed.column_name))) AS column_name,
    listed.name AS label,
    NULL::text AS unit,
    listed.type,
    NULL::text AS summary,
    NULL::text AS weight,
    NULL::text AS description,
    NULL::text AS repeats,
    NULL::text[] AS shared,
    NULL::text AS method,
    NULL::text AS lower,
    NULL::text AS upper,
    NULL::text AS draws,
    dataset.vintage
   FROM (public.dataset
     CROSS JOIN LATERAL ( SELECT unnest(array_agg(each.name ORDER BY (each.name COLLATE "C"))) AS name,
            unnest(array_agg(each.type ORDER BY (each.name COLLATE "C"))) AS type,
            unnest(public.analyst_columns(array_agg(each.name ORDER BY (each.name COLLATE "C")), public.analyst_taken('features'::text))) AS column_name,
            (generate_series((1)::bigint, count(*)))::integer AS place
           FROM public.property each
          WHERE (each.layer_id = dataset.layer_id)) listed);

COMMENT ON VIEW analyst.attribute IS 'The catalogue: what each attribute of a baseline and each property of features means, and its column in the view of the dataset.';

COMMENT ON COLUMN analyst.attribute.layer_id IS 'The dataset.';

COMMENT ON COLUMN analyst.attribute.dataset IS 'Name of the dataset.';

COMMENT ON COLUMN analyst.attribute.place IS 'Place of the attribute in the dataset, or of the property by its name, from 1.';

COMMENT ON COLUMN analyst.attribute.name IS 'Name of the attribute in column recorded, or of the property in column properties.';

COMMENT ON COLUMN analyst.attribute.column_name IS 'Its column in the view of the dataset; null where it has none, as past the 1,500th attribute: recorded or properties has it.';

COMMENT ON COLUMN analyst.attribute.label IS 'Its name for people; of a property its name.';

COMMENT ON COLUMN analyst.attribute.unit IS 'Unit of its values, where they have one.';

COMMENT ON COLUMN analyst.attribute.type IS 'number or category.';

COMMENT ON COLUMN analyst.attribute.summary IS 'How the API summarises it over frames: sum, mean, weighted_mean, mode, or none; null for a property.';

COMMENT ON COLUMN analyst.attribute.weight IS 'What weights a weighted mean: area (km2 of the frame) or an attribute of the same dataset.';

COMMENT ON COLUMN analyst.attribute.description IS 'Its description, where recorded.';

COMMENT ON COLUMN analyst.attribute.repeats IS 'lga or ward, where most of its values are the name of the unit that the frame lies in.';

COMMENT ON COLUMN analyst.attribute.shared IS 'Its values that several of these units have as their name.';

COMMENT ON COLUMN analyst.attribute.method IS 'How its values were made, such as modelled estimate, where recorded.';

COMMENT ON COLUMN analyst.attribute.lower IS 'The column of the view that has the lower bound of each value, where there are bounds or draws.';

COMMENT ON COLUMN analyst.attribute.upper IS 'The column that has the upper bound.';

COMMENT ON COLUMN analyst.attribute.draws IS 'The column that has the draws of the model, where there are any.';

COMMENT ON COLUMN analyst.attribute.vintage IS 'The time that the dataset tells of, where recorded.';

CREATE VIEW analyst.dataset AS
 SELECT dataset.layer_id,
    public.analyst_name(dataset.layer_id) AS view_name,
    dataset.name,
    dataset.category,
    dataset.kind,
    dataset.vintage,
    dataset.description,
    dataset.items,
    dataset.imported_at
   FROM public.dataset;

COMMENT ON VIEW analyst.dataset IS 'Datasets, each with its view in this schema.';

COMMENT ON COLUMN analyst.dataset.layer_id IS 'The dataset.';

COMMENT ON COLUMN analyst.dataset.view_name IS 'Its view in this schema.';

COMMENT ON COLUMN analyst.dataset.name IS 'Its name.';

COMMENT ON COLUMN analyst.dataset.category IS 'Its category.';

COMMENT ON COLUMN analyst.dataset.kind IS 'frames: a baseline; points, lines, polygons: features.';

COMMENT ON COLUMN analyst.dataset.vintage IS 'The time it tells of, where recorded.';

COMMENT ON COLUMN analyst.dataset.description IS 'Its description, where recorded.';

COMMENT ON COLUMN analyst.dataset.items IS 'Rows or features it has.';

COMMENT ON COLUMN analyst.dataset.imported_at IS 'When they were imported.';

CREATE TABLE public.feature (
    version bigint NOT NULL,
    feature_no integer NOT NULL,
    feature_id text NOT NULL,
    geom public.geometry(Geometry,4326) NOT NULL,
    geojson text GENERATED ALWAYS AS (public.st_asgeojson(geom, 7)) STORED NOT NULL,
    properties json NOT NULL
);

COMMENT ON TABLE public.feature IS 'A point, line or polygon of a feature dataset.';

COMMENT ON COLUMN public.feature.version IS 'The import that added it: dataset.version.';

COMMENT ON COLUMN public.feature.feature_no IS 'Its place in the order of feature ids, from 1.';

COMMENT ON COLUMN public.feature.feature_id IS 'Its id, as the file had it.';

COMMENT ON COLUMN public.feature.geom IS 'Its shape, WGS 84.';

COMMENT ON COLUMN public.feature.geojson IS 'GeoJSON text of geom: the bytes that the API sends.';

COMMENT ON COLUMN public.feature.properties IS 'Its properties as the file had them: the bytes that the API sends.';

CREATE TABLE public.feature_frame (
    version bigint NOT NULL,
    frame_id bigint NOT NULL,
    feature_no integer NOT NULL,
    number integer,
    extent double precision
);

COMMENT ON TABLE public.feature_frame IS 'The features that intersect each frame. Imports of frames and of features make it; it is part of the frame index.';

COMMENT ON COLUMN public.feature_frame.version IS 'The import of the features.';

COMMENT ON COLUMN public.feature_frame.frame_id IS 'The frame.';

COMMENT ON COLUMN public.feature_frame.feature_no IS 'The feature.';

COMMENT ON COLUMN public.feature_frame.number IS 'frame_order.number of the frame.';

COMMENT ON COLUMN public.feature_frame.extent IS 'The length of a line inside the frame in whole millimetres, or the area of a polygon in whole square metres; null for a point.';

CREATE TABLE public.frame (
    frame_id bigint NOT NULL,
    geom public.geometry(Geometry,4326) NOT NULL,
    geojson text GENERATED ALWAYS AS (public.st_asgeojson(geom, 7)) STORED NOT NULL,
    bbox text GENERATED ALWAYS AS ((((((((('['::text || (public.st_xmin((geom)::public.box3d))::text) || ','::text) || (public.st_ymin((geom)::public.box3d))::text) || ','::text) || (public.st_xmax((geom)::public.box3d))::text) || ','::text) || (public.st_ymax((geom)::public.box3d))::text) || ']'::text)) STORED NOT NULL,
    state text,
    state_code text,
    lga text,
    lga_code text,
    ward text,
    ward_code text,
    zone text,
    zone_code text,
    area_km2 numeric GENERATED ALWAYS AS (round(((public.st_area((geom)::public.geography) / ('1000000'::numeric)::double precision))::numeric, 6)) STORED NOT NULL,
    CONSTRAINT frame_id_not_negative CHECK ((frame_id >= 0)),
    CONSTRAINT polygon_or_multipolygon CHECK ((public.geometrytype(geom) = ANY (ARRAY['POLYGON'::text, 'MULTIPOLYGON'::text]))),
    CONSTRAINT state_and_lga_together CHECK (((state IS NULL) = (lga IS NULL))),
    CONSTRAINT ward_within_lga CHECK (((ward IS NULL) OR (lga IS NOT NULL)))
);

COMMENT ON TABLE public.frame IS 'One cell of the national grid, about 0.01 degrees across. Rows lie in Hilbert order of geom.';

COMMENT ON COLUMN public.frame.frame_id IS 'row * 36000 + col of the cell''s south-west corner, or the id an imported grid came with.';

COMMENT ON COLUMN public.frame.geom IS 'Cell outline, WGS 84, valid, counterclockwise, on a 1e-7 degree lattice; MultiPolygon where a boundary cuts the cell.';

COMMENT ON COLUMN public.frame.geojson IS 'GeoJSON text of geom: the bytes that the API sends.';

COMMENT ON COLUMN public.frame.bbox IS 'JSON text of [minLon,minLat,maxLon,maxLat]: the bytes that the API sends.';

COMMENT ON COLUMN public.frame.state IS 'State name as fold_name gives it; null where no unit is assigned.';

COMMENT ON COLUMN public.frame.state_code IS 'Code of the state, where recorded.';

COMMENT ON COLUMN public.frame.lga IS 'Local government area, as fold_name gives it.';

COMMENT ON COLUMN public.frame.lga_code IS 'Code of the local government area, where recorded.';

COMMENT ON COLUMN public.frame.ward IS 'Ward, as fold_name gives it; null where wards are not recorded.';

COMMENT ON COLUMN public.frame.ward_code IS 'Code of the ward, where recorded.';

COMMENT ON COLUMN public.frame.zone IS 'Zone the state lies in, where recorded.';

COMMENT ON COLUMN public.frame.zone_code IS 'Code of the zone, where recorded.';

COMMENT ON COLUMN public.frame.area_km2 IS 'Area in square kilometres, on the ellipsoid, to the square metre.';

COMMENT ON CONSTRAINT frame_id_not_negative ON public.frame IS 'A frame id is not negative.';

COMMENT ON CONSTRAINT polygon_or_multipolygon ON public.frame IS 'A cell is a polygon, or a multipolygon where a boundary cuts it.';

COMMENT ON CONSTRAINT state_and_lga_together ON public.frame IS 'A frame has both a state and a local government area, or neither.';

COMMENT ON CONSTRAINT ward_within_lga ON public.frame IS 'A frame with a ward has a local government area.';

CREATE VIEW analyst.feature_frame AS
 SELECT dataset.layer_id,
    pair.feature_no AS id,
    feature.feature_id,
    pair.frame_id,
    frame.state,
    frame.lga,
    frame.ward,
    round(((pair.extent)::numeric / (1000000)::numeric), 6) AS extent
   FROM (((public.dataset
     JOIN public.feature_frame pair ON ((pair.version = dataset.version)))
     LEFT JOIN public.feature ON (((feature.version = pair.version) AND (feature.feature_no = pair.feature_no))))
     LEFT JOIN public.frame frame ON ((frame.frame_id = pair.frame_id)));

COMMENT ON VIEW analyst.feature_frame IS 'Features and the frames that they intersect, one row a pair. Its key is layer_id, id and frame_id together.';

COMMENT ON COLUMN analyst.feature_frame.layer_id IS 'The dataset of the feature.';

COMMENT ON COLUMN analyst.feature_frame.id IS 'Number of the feature, as in the view of its dataset.';

COMMENT ON COLUMN analyst.feature_frame.feature_id IS 'Id of the feature, as it came.';

COMMENT ON COLUMN analyst.feature_frame.frame_id IS 'The frame.';

COMMENT ON COLUMN analyst.feature_frame.state IS 'State of the frame.';

COMMENT ON COLUMN analyst.feature_frame.lga IS 'Local government area of the frame.';

COMMENT ON COLUMN analyst.feature_frame.ward IS 'Ward of the frame.';

COMMENT ON COLUMN analyst.feature_frame.extent IS 'The length of a line inside the frame in km, or the area of a polygon in km²; null for a point.';

CREATE VIEW analyst.frame AS
 SELECT frame.frame_id,
    (public.st_multi(frame.geom))::public.geometry(MultiPolygon,4326) AS geom,
    frame.state,
    frame.state_code,
    frame.lga,
    frame.lga_code,
    frame.ward,
    frame.ward_code,
    frame.zone,
    frame.zone_code,
    public.st_xmin((frame.geom)::public.box3d) AS min_lon,
    public.st_ymin((frame.geom)::public.box3d) AS min_lat,
    public.st_xmax((frame.geom)::public.box3d) AS max_lon,
    public.st_ymax((frame.geom)::public.box3d) AS max_lat,
    frame.area_km2 AS km2
   FROM public.frame;

COMMENT ON VIEW analyst.frame IS 'Frames, one row a cell.';

COMMENT ON COLUMN analyst.frame.frame_id IS 'The frame.';

COMMENT ON COLUMN analyst.frame.geom IS 'Outline of the cell, WGS 84.';

COMMENT ON COLUMN analyst.frame.state IS 'State.';

COMMENT ON COLUMN analyst.frame.state_code IS 'Code of the state.';

COMMENT ON COLUMN analyst.frame.lga IS 'Local government area.';

COMMENT ON COLUMN analyst.frame.lga_code IS 'Code of the area.';

COMMENT ON COLUMN analyst.frame.ward IS 'Ward.';

COMMENT ON COLUMN analyst.frame.ward_code IS 'Code of the ward.';

COMMENT ON COLUMN analyst.frame.zone IS 'Zone.';

COMMENT ON COLUMN analyst.frame.zone_code IS 'Code of the zone.';

COMMENT ON COLUMN analyst.frame.min_lon IS 'Western edge, degrees.';

COMMENT ON COLUMN analyst.frame.min_lat IS 'Southern edge, degrees.';

COMMENT ON COLUMN analyst.frame.max_lon IS 'Eastern edge, degrees.';

COMMENT ON COLUMN analyst.frame.max_lat IS 'Northern edge, degrees.';

COMMENT ON COLUMN analyst.frame.km2 IS 'Area in square kilometres, on the ellipsoid.';

CREATE TABLE public.lga (
    state text NOT NULL,
    lga text NOT NULL,
    lga_code text,
    frames bigint NOT NULL
);

COMMENT ON TABLE public.lga IS 'Local government areas that hold frames, counted when the index was made.';

COMMENT ON COLUMN public.lga.state IS 'State the area lies in.';

COMMENT ON COLUMN public.lga.lga IS 'Name of the area, as fold_name gives it.';

COMMENT ON COLUMN public.lga.lga_code IS 'Code, where recorded.';

COMMENT ON COLUMN public.lga.frames IS 'Frames in the area.';

CREATE TABLE public.state (
    state text NOT NULL,
    state_code text,
    zone text,
    zone_code text,
    frames bigint NOT NULL
);

COMMENT ON TABLE public.state IS 'States that hold frames, counted when the index was made.';

COMMENT ON COLUMN public.state.state IS 'State name as fold_name gives it.';

COMMENT ON COLUMN public.state.state_code IS 'Code, where recorded.';

COMMENT ON COLUMN public.state.zone IS 'Zone the state lies in, where recorded.';

COMMENT ON COLUMN public.state.zone_code IS 'Code of the zone, where recorded.';

COMMENT ON COLUMN public.state.frames IS 'Frames in the state.';

CREATE TABLE public.unit_area (
    unit_id bigint NOT NULL,
    state text NOT NULL,
    lga text,
    ward text,
    geom public.geometry(MultiPolygon,4326) NOT NULL,
    area_km2 numeric GENERATED ALWAYS AS (round(((public.st_area((geom)::public.geography) / ('1000000'::numeric)::double precision))::numeric, 6)) STORED NOT NULL,
    CONSTRAINT area_within_lga CHECK (((ward IS NULL) OR (lga IS NOT NULL)))
);

COMMENT ON TABLE public.unit_area IS 'The land of each unit: the union of its frames, made with the index.';

COMMENT ON COLUMN public.unit_area.unit_id IS 'Units in the order of their names, from 1. A unit may have another number in the next index.';

COMMENT ON COLUMN public.unit_area.state IS 'The state.';

COMMENT ON COLUMN public.unit_area.lga IS 'The local government area; null for the land of a state.';

COMMENT ON COLUMN public.unit_area.ward IS 'The ward; null for the land of a state or of an area.';

COMMENT ON COLUMN public.unit_area.geom IS 'The union of the frames.';

COMMENT ON COLUMN public.unit_area.area_km2 IS 'Area in square kilometres, on the ellipsoid, to the square metre.';

COMMENT ON CONSTRAINT area_within_lga ON public.unit_area IS 'Land of a ward names its local government area.';

CREATE VIEW analyst.lga AS
 SELECT area.unit_id AS id,
    area.geom,
    lga.state,
    state.state_code,
    lga.lga,
    lga.lga_code,
    lga.frames,
    area.area_km2 AS km2
   FROM ((public.unit_area area
     JOIN public.lga lga ON (((lga.state = area.state) AND (lga.lga = area.lga))))
     JOIN public.state state ON ((state.state = area.state)))
  WHERE ((area.lga IS NOT NULL) AND (area.ward IS NULL));

COMMENT ON VIEW analyst.lga IS 'Local government areas, each the union of its frames.';

COMMENT ON COLUMN analyst.lga.id IS 'Number of the unit in this index.';

COMMENT ON COLUMN analyst.lga.geom IS 'Its land, WGS 84.';

COMMENT ON COLUMN analyst.lga.state IS 'State it lies in.';

COMMENT ON COLUMN analyst.lga.state_code IS 'Code of the state.';

COMMENT ON COLUMN analyst.lga.lga IS 'Name of the area.';

COMMENT ON COLUMN analyst.lga.lga_code IS 'Its code.';

COMMENT ON COLUMN analyst.lga.frames IS 'Frames in it.';

COMMENT ON COLUMN analyst.lga.km2 IS 'Area in square kilometres, on the ellipsoid.';

CREATE TABLE public.unit (
    unit_id bigint NOT NULL,
    level text NOT NULL,
    state text,
    lga text,
    ward text,
    block bigint,
    frames bigint NOT NULL,
    within bigint[] NOT NULL,
    km2 numeric,
    first_number integer,
    last_number integer,
    CONSTRAINT names_fit_level CHECK ((((state IS NOT NULL) = (level = ANY (ARRAY['state'::text, 'lga'::text, 'ward'::text]))) AND ((lga IS NOT NULL) = (level = ANY (ARRAY['lga'::text, 'ward'::text]))) AND ((ward IS NOT NULL) = (level = 'ward'::text)) AND ((block IS NOT NULL) = (level = 'block'::text)))),
    CONSTRAINT unit_level_known CHECK ((level = ANY (ARRAY['country'::text, 'state'::text, 'lga'::text, 'ward'::text, 'block'::text])))
);

COMMENT ON TABLE public.unit IS 'Units that totals are made for: the country, states, areas, wards and blocks of 0.1 degrees, with their frames.';

COMMENT ON COLUMN public.unit.unit_id IS '0 for the country; unit_area.unit_id for a state, an area or a ward; 10,000,000 and the block for a block.';

COMMENT ON COLUMN public.unit.level IS 'country, state, lga, ward or block.';

COMMENT ON COLUMN public.unit.state IS 'The state; null for the country and for a block.';

COMMENT ON COLUMN public.unit.lga IS 'The local government area; null above it and for a block.';

COMMENT ON COLUMN public.unit.ward IS 'The ward; null above it and for a block.';

COMMENT ON COLUMN public.unit.block IS 'Row and column of the block: row * 3600 + column, counted in tenths of a degree from -90 and -180; null for other units.';

COMMENT ON COLUMN public.unit.frames IS 'Frames in the unit. A frame lies in the block that has the centre of its box.';

COMMENT ON COLUMN public.unit.within IS 'The unit itself and the units above it, the country first: all that a frame of a ward counts in, besides its block.';

COMMENT ON COLUMN public.unit.km2 IS 'Land of the frames of the unit, in km².';

COMMENT ON COLUMN public.unit.first_number IS 'frame_order.number of its first frame; null for a block, which is no range.';

COMMENT ON COLUMN public.unit.last_number IS 'frame_order.number of its last frame.';

COMMENT ON CONSTRAINT names_fit_level ON public.unit IS 'A unit has the names of its level and of those above, or the number of its block.';

COMMENT ON CONSTRAINT unit_level_known ON public.unit IS 'A level is country, state, lga, ward or block.';

CREATE TABLE public.unit_interval (
    version bigint NOT NULL,
    attribute text NOT NULL,
    unit_id bigint NOT NULL,
    lower numeric NOT NULL,
    upper numeric NOT NULL,
    draws numeric[] NOT NULL
);

COMMENT ON TABLE public.unit_interval IS 'The draws of each attribute added up over the frames of each unit, with their 95 % interval.';

COMMENT ON COLUMN public.unit_interval.version IS 'The import of the dataset: dataset.version.';

COMMENT ON COLUMN public.unit_interval.attribute IS 'The attribute, which has draws.';

COMMENT ON COLUMN public.unit_interval.unit_id IS 'The unit.';

COMMENT ON COLUMN public.unit_interval.lower IS 'The lower bound of the 95 % interval.';

COMMENT ON COLUMN public.unit_interval.upper IS 'The upper bound.';

COMMENT ON COLUMN public.unit_interval.draws IS 'The draws, added up by their number.';

CREATE TABLE public.unit_total (
    version bigint NOT NULL,
    attribute text NOT NULL,
    unit_id bigint NOT NULL,
    number numeric,
    class text,
    class_frames bigint,
    recorded bigint NOT NULL,
    total numeric,
    weight numeric
);

COMMENT ON TABLE public.unit_total IS 'Totals of each attribute over the frames of each unit. A unit in which no frame records the attribute has no row.';

COMMENT ON COLUMN public.unit_total.version IS 'The import of the dataset: dataset.version.';

COMMENT ON COLUMN public.unit_total.attribute IS 'An attribute of a baseline; for features, features (each counted once in a unit), km (of lines) or km2 (of polygons).';

COMMENT ON COLUMN public.unit_total.unit_id IS 'The unit.';

COMMENT ON COLUMN public.unit_total.number IS 'The sum, mean or weighted mean that attribute.summary names, or the features, km or km2; null for mode and none. Lengths and areas are those of the parts inside the frames of the unit.';

COMMENT ON COLUMN public.unit_total.class IS 'For mode: the commonest of the classes that table class has.';

COMMENT ON COLUMN public.unit_total.class_frames IS 'Frames that have it.';

COMMENT ON COLUMN public.unit_total.recorded IS 'Frames that record a value; for features, frames with any.';

COMMENT ON COLUMN public.unit_total.total IS 'For a mean, the sum of the numbers; for a weighted mean, of the numbers times their weights; null for other totals.';

COMMENT ON COLUMN public.unit_total.weight IS 'What divides it: the frames with a number, or the sum of the weights; null for other totals.';

CREATE VIEW analyst.lga_totals AS
 SELECT unit.unit_id AS id,
    unit.state,
    unit.lga,
    listed.layer_id,
    listed.attribute,
    listed.label,
    listed.unit,
    listed.summary,
    trim_scale(
        CASE
            WHEN ((listed.summary = ANY (ARRAY['count'::text, 'length'::text, 'area'::text])) AND (total.number IS NULL)) THEN (0)::numeric
            WHEN (listed.summary = ANY (ARRAY['sum'::text, 'count'::text])) THEN total.number
            ELSE round(total.number, (GREATEST((2)::numeric, COALESCE(((5)::numeric - floor(log(NULLIF(abs(total.number), (0)::numeric)))), (2)::numeric)))::integer)
        END) AS total,
    trim_scale(bound.lower) AS lower,
    trim_scale(bound.upper) AS upper,
    bound.draws,
    total.class,
    total.class_frames,
    COALESCE(total.recorded, (0)::bigint) AS recorded,
    unit.frames,
    round(((100.0 * (COALESCE(total.recorded, (0)::bigint))::numeric) / (unit.frames)::numeric), 1) AS coverage
   FROM (((public.unit unit
     CROSS JOIN ( SELECT dataset.layer_id,
            dataset.version,
            attribute.name AS attribute,
            attribute.label,
            attribute.unit,
            attribute.summary
           FROM (public.dataset
             JOIN public.attribute USING (layer_id))
          WHERE (dataset.kind = 'frames'::text)
        UNION ALL
         SELECT dataset.layer_id,
            dataset.version,
            'features'::text,
            dataset.name,
            NULL::text,
            'count'::text
           FROM public.dataset
          WHERE (dataset.kind <> 'frames'::text)
        UNION ALL
         SELECT dataset.layer_id,
            dataset.version,
            'km'::text,
            dataset.name,
            'km'::text,
            'length'::text
           FROM public.dataset
          WHERE (dataset.kind = 'lines'::text)
        UNION ALL
         SELECT dataset.layer_id,
            dataset.version,
            'km2'::text,
            dataset.name,
            'km²'::text,
            'area'::text
           FROM public.dataset
          WHERE (dataset.kind = 'polygons'::text)) listed)
     LEFT JOIN public.unit_total total ON (((total.version = listed.version) AND (total.attribute = listed.attribute) AND (total.unit_id = unit.unit_id))))
     LEFT JOIN public.unit_interval bound ON (((bound.version = listed.version) AND (bound.attribute = listed.attribute) AND (bound.unit_id = unit.unit_id))))
  WHERE (unit.level = 'lga'::text);

COMMENT ON VIEW analyst.lga_totals IS 'Totals of each attribute over local government areas, one row a unit and attribute. Join analyst.lga on id for the land.';

COMMENT ON COLUMN analyst.lga_totals.id IS 'Number of the unit, as in analyst.lga.';

COMMENT ON COLUMN analyst.lga_totals.state IS 'State.';

COMMENT ON COLUMN analyst.lga_totals.lga IS 'Local government area.';

COMMENT ON COLUMN analyst.lga_totals.layer_id IS 'The dataset.';

COMMENT ON COLUMN analyst.lga_totals.attribute IS 'The attribute; for features, features (each counted once in a unit), km (of lines) or km2 (of polygons).';

COMMENT ON COLUMN analyst.lga_totals.label IS 'Its name for people.';

COMMENT ON COLUMN analyst.lga_totals.unit IS 'Its unit of measure, where it has one.';

COMMENT ON COLUMN analyst.lga_totals.summary IS 'sum, mean, weighted_mean, mode, none; for features, count, length or area.';

COMMENT ON COLUMN analyst.lga_totals.total IS 'The sum, mean, count, length or area over the frames of the unit; null where nothing is recorded, and for mode and none. Means, lengths and areas have six digits, and 2 places or more.';

COMMENT ON COLUMN analyst.lga_totals.lower IS 'Lower bound of the 95 % interval of the total, where the dataset has draws.';

COMMENT ON COLUMN analyst.lga_totals.upper IS 'Upper bound.';

COMMENT ON COLUMN analyst.lga_totals.draws IS 'The draws of its model, added up over the unit.';

COMMENT ON COLUMN analyst.lga_totals.class IS 'For mode: the commonest class.';

COMMENT ON COLUMN analyst.lga_totals.class_frames IS 'Frames that have it.';

COMMENT ON COLUMN analyst.lga_totals.recorded IS 'Frames that record a value; for features, frames with any.';

COMMENT ON COLUMN analyst.lga_totals.frames IS 'Frames in the unit.';

COMMENT ON COLUMN analyst.lga_totals.coverage IS 'Frames that record a value, percent.';

CREATE VIEW analyst.state AS
 SELECT area.unit_id AS id,
    area.geom,
    state.state,
    state.state_code,
    state.zone,
    state.zone_code,
    state.frames,
    area.area_km2 AS km2
   FROM (public.unit_area area
     JOIN public.state state ON ((state.state = area.state)))
  WHERE (area.lga IS NULL);

COMMENT ON VIEW analyst.state IS 'States, each the union of its frames.';

COMMENT ON COLUMN analyst.state.id IS 'Number of the unit in this index.';

COMMENT ON COLUMN analyst.state.geom IS 'Its land, WGS 84.';

COMMENT ON COLUMN analyst.state.state IS 'State.';

COMMENT ON COLUMN analyst.state.state_code IS 'Its code.';

COMMENT ON COLUMN analyst.state.zone IS 'Zone it lies in.';

COMMENT ON COLUMN analyst.state.zone_code IS 'Code of the zone.';

COMMENT ON COLUMN analyst.state.frames IS 'Frames in it.';

COMMENT ON COLUMN analyst.state.km2 IS 'Area in square kilometres, on the ellipsoid.';

CREATE VIEW analyst.state_totals AS
 SELECT unit.unit_id AS id,
    unit.state,
    listed.layer_id,
    listed.attribute,
    listed.label,
    listed.unit,
    listed.summary,
    trim_scale(
        CASE
            WHEN ((listed.summary = ANY (ARRAY['count'::text, 'length'::text, 'area'::text])) AND (total.number IS NULL)) THEN (0)::numeric
            WHEN (listed.summary = ANY (ARRAY['sum'::text, 'count'::text])) THEN total.number
            ELSE round(total.number, (GREATEST((2)::numeric, COALESCE(((5)::numeric - floor(log(NULLIF(abs(total.number), (0)::numeric)))), (2)::numeric)))::integer)
        END) AS total,
    trim_scale(bound.lower) AS lower,
    trim_scale(bound.upper) AS upper,
    bound.draws,
    total.class,
    total.class_frames,
    COALESCE(total.recorded, (0)::bigint) AS recorded,
    unit.frames,
    round(((100.0 * (COALESCE(total.recorded, (0)::bigint))::numeric) / (unit.frames)::numeric), 1) AS coverage
   FROM (((public.unit unit
     CROSS JOIN ( SELECT dataset.layer_id,
            dataset.version,
            attribute.name AS attribute,
            attribute.label,
            attribute.unit,
            attribute.summary
           FROM (public.dataset
             JOIN public.attribute USING (layer_id))
          WHERE (dataset.kind = 'frames'::text)
        UNION ALL
         SELECT dataset.layer_id,
            dataset.version,
            'features'::text,
            dataset.name,
            NULL::text,
            'count'::text
           FROM public.dataset
          WHERE (dataset.kind <> 'frames'::text)
        UNION ALL
         SELECT dataset.layer_id,
            dataset.version,
            'km'::text,
            dataset.name,
            'km'::text,
            'length'::text
           FROM public.dataset
          WHERE (dataset.kind = 'lines'::text)
        UNION ALL
         SELECT dataset.layer_id,
            dataset.version,
            'km2'::text,
            dataset.name,
            'km²'::text,
            'area'::text
           FROM public.dataset
          WHERE (dataset.kind = 'polygons'::text)) listed)
     LEFT JOIN public.unit_total total ON (((total.version = listed.version) AND (total.attribute = listed.attribute) AND (total.unit_id = unit.unit_id))))
     LEFT JOIN public.unit_interval bound ON (((bound.version = listed.version) AND (bound.attribute = listed.attribute) AND (bound.unit_id = unit.unit_id))))
  WHERE (unit.level = 'state'::text);

COMMENT ON VIEW analyst.state_totals IS 'Totals of each attribute over states, one row a unit and attribute. Join analyst.state on id for the land.';

COMMENT ON COLUMN analyst.state_totals.id IS 'Number of the unit, as in analyst.state.';

COMMENT ON COLUMN analyst.state_totals.state IS 'State.';

COMMENT ON COLUMN analyst.state_totals.layer_id IS 'The dataset.';

COMMENT ON COLUMN analyst.state_totals.attribute IS 'The attribute; for features, features (each counted once in a unit), km (of lines) or km2 (of polygons).';

COMMENT ON COLUMN analyst.state_totals.label IS 'Its name for people.';

COMMENT ON COLUMN analyst.state_totals.unit IS 'Its unit of measure, where it has one.';

COMMENT ON COLUMN analyst.state_totals.summary IS 'sum, mean, weighted_mean, mode, none; for features, count, length or area.';

COMMENT ON COLUMN analyst.state_totals.total IS 'The sum, mean, count, length or area over the frames of the unit; null where nothing is recorded, and for mode and none. Means, lengths and areas have six digits, and 2 places or more.';

COMMENT ON COLUMN analyst.state_totals.lower IS 'Lower bound of the 95 % interval of the total, where the dataset has draws.';

COMMENT ON COLUMN analyst.state_totals.upper IS 'Upper bound.';

COMMENT ON COLUMN analyst.state_totals.draws IS 'The draws of its model, added up over the unit.';

COMMENT ON COLUMN analyst.state_totals.class IS 'For mode: the commonest class.';

COMMENT ON COLUMN analyst.state_totals.class_frames IS 'Frames that have it.';

COMMENT ON COLUMN analyst.state_totals.recorded IS 'Frames that record a value; for features, frames with any.';

COMMENT ON COLUMN analyst.state_totals.frames IS 'Frames in the unit.';

COMMENT ON COLUMN analyst.state_totals.coverage IS 'Frames that record a value, percent.';

CREATE TABLE public.ward (
    state text NOT NULL,
    lga text NOT NULL,
    ward text NOT NULL,
    ward_code text,
    frames bigint NOT NULL
);

COMMENT ON TABLE public.ward IS 'Wards that hold frames, counted when the index was made.';

COMMENT ON COLUMN public.ward.state IS 'State the ward lies in.';

COMMENT ON COLUMN public.ward.lga IS 'Local government area the ward lies in.';

COMMENT ON COLUMN public.ward.ward IS 'Name of the ward, as fold_name gives it.';

COMMENT ON COLUMN public.ward.ward_code IS 'Code, where recorded.';

COMMENT ON COLUMN public.ward.frames IS 'Frames in the ward.';

CREATE VIEW analyst.ward AS
 SELECT area.unit_id AS id,
    area.geom,
    ward.state,
    state.state_code,
    ward.lga,
    lga.lga_code,
    ward.ward,
    ward.ward_code,
    ward.frames,
    area.area_km2 AS km2
   FROM (((public.unit_area area
     JOIN public.ward ward ON (((ward.state = area.state) AND (ward.lga = area.lga) AND (ward.ward = area.ward))))
     JOIN public.lga lga ON (((lga.state = area.state) AND (lga.lga = area.lga))))
     JOIN public.state state ON ((state.state = area.state)))
  WHERE (area.ward IS NOT NULL);

COMMENT ON VIEW analyst.ward IS 'Wards, each the union of its frames.';

COMMENT ON COLUMN analyst.ward.id IS 'Number of the unit in this index.';

COMMENT ON COLUMN analyst.ward.geom IS 'Its land, WGS 84.';

COMMENT ON COLUMN analyst.ward.state IS 'State it lies in.';

COMMENT ON COLUMN analyst.ward.state_code IS 'Code of the state.';

COMMENT ON COLUMN analyst.ward.lga IS 'Local government area it lies in.';

COMMENT ON COLUMN analyst.ward.lga_code IS 'Code of the area.';

COMMENT ON COLUMN analyst.ward.ward IS 'Name of the ward.';

COMMENT ON COLUMN analyst.ward.ward_code IS 'Its code.';

COMMENT ON COLUMN analyst.ward.frames IS 'Frames in it.';

COMMENT ON COLUMN analyst.ward.km2 IS 'Area in square kilometres, on the ellipsoid.';

CREATE VIEW analyst.ward_totals AS
 SELECT unit.unit_id AS id,
    unit.state,
    unit.lga,
    unit.ward,
    listed.layer_id,
    listed.attribute,
    listed.label,
    listed.unit,
    listed.summary,
    trim_scale(
        CASE
            WHEN ((listed.summary = ANY (ARRAY['count'::text, 'length'::text, 'area'::text])) AND (total.number IS NULL)) THEN (0)::numeric
            WHEN (listed.summary = ANY (ARRAY['sum'::text, 'count'::text])) THEN total.number
            ELSE round(total.number, (GREATEST((2)::numeric, COALESCE(((5)::numeric - floor(log(NULLIF(abs(total.number), (0)::numeric)))), (2)::numeric)))::integer)
        END) AS total,
    trim_scale(bound.lower) AS lower,
    trim_scale(bound.upper) AS upper,
    bound.draws,
    total.class,
    total.class_frames,
    COALESCE(total.recorded, (0)::bigint) AS recorded,
    unit.frames,
    round(((100.0 * (COALESCE(total.recorded, (0)::bigint))::numeric) / (unit.frames)::numeric), 1) AS coverage
   FROM (((public.unit unit
     CROSS JOIN ( SELECT dataset.layer_id,
            dataset.version,
            attribute.name AS attribute,
            attribute.label,
            attribute.unit,
            attribute.summary
           FROM (public.dataset
             JOIN public.attribute USING (layer_id))
          WHERE (dataset.kind = 'frames'::text)
        UNION ALL
         SELECT dataset.layer_id,
            dataset.version,
            'features'::text,
            dataset.name,
            NULL::text,
            'count'::text
           FROM public.dataset
          WHERE (dataset.kind <> 'frames'::text)
        UNION ALL
         SELECT dataset.layer_id,
            dataset.version,
            'km'::text,
            dataset.name,
            'km'::text,
            'length'::text
           FROM public.dataset
          WHERE (dataset.kind = 'lines'::text)
        UNION ALL
         SELECT dataset.layer_id,
            dataset.version,
            'km2'::text,
            dataset.name,
            'km²'::text,
            'area'::text
           FROM public.dataset
          WHERE (dataset.kind = 'polygons'::text)) listed)
     LEFT JOIN public.unit_total total ON (((total.version = listed.version) AND (total.attribute = listed.attribute) AND (total.unit_id = unit.unit_id))))
     LEFT JOIN public.unit_interval bound ON (((bound.version = listed.version) AND (bound.attribute = listed.attribute) AND (bound.unit_id = unit.unit_id))))
  WHERE (unit.level = 'ward'::text);

COMMENT ON VIEW analyst.ward_totals IS 'Totals of each attribute over wards, one row a unit and attribute. Join analyst.ward on id for the land.';

COMMENT ON COLUMN analyst.ward_totals.id IS 'Number of the unit, as in analyst.ward.';

COMMENT ON COLUMN analyst.ward_totals.state IS 'State.';

COMMENT ON COLUMN analyst.ward_totals.lga IS 'Local government area.';

COMMENT ON COLUMN analyst.ward_totals.ward IS 'Ward.';

COMMENT ON COLUMN analyst.ward_totals.layer_id IS 'The dataset.';

COMMENT ON COLUMN analyst.ward_totals.attribute IS 'The attribute; for features, features (each counted once in a unit), km (of lines) or km2 (of polygons).';

COMMENT ON COLUMN analyst.ward_totals.label IS 'Its name for people.';

COMMENT ON COLUMN analyst.ward_totals.unit IS 'Its unit of measure, where it has one.';

COMMENT ON COLUMN analyst.ward_totals.summary IS 'sum, mean, weighted_mean, mode, none; for features, count, length or area.';

COMMENT ON COLUMN analyst.ward_totals.total IS 'The sum, mean, count, length or area over the frames of the unit; null where nothing is recorded, and for mode and none. Means, lengths and areas have six digits, and 2 places or more.';

COMMENT ON COLUMN analyst.ward_totals.lower IS 'Lower bound of the 95 % interval of the total, where the dataset has draws.';

COMMENT ON COLUMN analyst.ward_totals.upper IS 'Upper bound.';

COMMENT ON COLUMN analyst.ward_totals.draws IS 'The draws of its model, added up over the unit.';

COMMENT ON COLUMN analyst.ward_totals.class IS 'For mode: the commonest class.';

COMMENT ON COLUMN analyst.ward_totals.class_frames IS 'Frames that have it.';

COMMENT ON COLUMN analyst.ward_totals.recorded IS 'Frames that record a value; for features, frames with any.';

COMMENT ON COLUMN analyst.ward_totals.frames IS 'Frames in the unit.';

COMMENT ON COLUMN analyst.ward_totals.coverage IS 'Frames that record a value, percent.';

CREATE TABLE public.account (
    org_id text NOT NULL,
    balance bigint DEFAULT 0 NOT NULL,
    CONSTRAINT balance_not_negative CHECK ((balance >= 0))
);

COMMENT ON TABLE public.account IS 'Credits of each organisation. A transaction that changes them locks this row first.';

COMMENT ON COLUMN public.account.org_id IS 'The organisation.';

COMMENT ON COLUMN public.account.balance IS 'Credits to spend: the sum of the entries.';

COMMENT ON CONSTRAINT balance_not_negative ON public.account IS 'A balance is not below zero.';

CREATE TABLE public.api_key (
    key_id text NOT NULL,
    org_id text NOT NULL,
    secret_hash bytea NOT NULL,
    last_four text NOT NULL,
    name text NOT NULL,
    capabilities text[] NOT NULL,
    datasets text[],
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    revoked_at timestamp with time zone,
    rolled_from text,
    created_by text,
    revoked_for_good boolean DEFAULT false NOT NULL,
    daily_credits integer,
    monthly_credits integer,
    daily_words integer,
    monthly_words integer,
    CONSTRAINT caps_not_negative CHECK (((daily_credits >= 0) AND (monthly_credits >= 0) AND (daily_words >= 0) AND (monthly_words >= 0))),
    CONSTRAINT datasets_named_or_all CHECK ((cardinality(datasets) > 0)),
    CONSTRAINT four_characters CHECK ((length(last_four) = 4)),
    CONSTRAINT key_id_form CHECK ((key_id ~ '^key_[0-9A-Za-z]{12}$'::text)),
    CONSTRAINT key_name_not_blank CHECK ((btrim(name) <> ''::text)),
    CONSTRAINT lifetime_7_to_365_days CHECK ((((expires_at - created_at) >= '7 days'::interval) AND ((expires_at - created_at) <= '365 days'::interval))),
    CONSTRAINT revoked_at_some_instant CHECK (((NOT revoked_for_good) OR (revoked_at IS NOT NULL))),
    CONSTRAINT sha256_of_the_secret CHECK ((octet_length(secret_hash) = 32))
);

COMMENT ON TABLE public.api_key IS 'API keys. A key acts for one organisation and only reads.';

COMMENT ON COLUMN public.api_key.key_id IS 'key_ and 12 letters or digits. The id names the key without its secret.';

COMMENT ON COLUMN public.api_key.org_id IS 'The organisation it acts for.';

COMMENT ON COLUMN public.api_key.secret_hash IS 'SHA-256 of the secret. The secret itself is not stored.';

COMMENT ON COLUMN public.api_key.last_four IS 'Last four characters of the secret, so that people can tell keys apart.';

COMMENT ON COLUMN public.api_key.name IS 'Holder of the key, in free text.';

COMMENT ON COLUMN public.api_key.capabilities IS 'The calls that it may make, as its preset had them when it was minted.';

COMMENT ON COLUMN public.api_key.datasets IS 'The datasets it is narrowed to; null for all that its organisation can read.';

COMMENT ON COLUMN public.api_key.created_at IS 'Instant at which it was minted.';

COMMENT ON COLUMN public.api_key.expires_at IS 'The API refuses the key from this instant on.';

COMMENT ON COLUMN public.api_key.revoked_at IS 'The API refuses the key from this instant on; null for a key that is not revoked. It lies ahead in the grace of a key that was rolled.';

COMMENT ON COLUMN public.api_key.rolled_from IS 'The key that this one replaces; null for a key that replaces none.';

COMMENT ON COLUMN public.api_key.created_by IS 'The person who minted it; null for the command line.';

COMMENT ON COLUMN public.api_key.revoked_for_good IS 'True: the API refuses the key, whatever the clock says. False: revoked_at decides, as in the grace of a key that was rolled.';

COMMENT ON COLUMN public.api_key.daily_credits IS 'Credits that the key may spend in a day, UTC; null for all that the organisation has.';

COMMENT ON COLUMN public.api_key.monthly_credits IS 'Credits that the key may spend in a month, UTC; null for all that the organisation has.';

COMMENT ON COLUMN public.api_key.daily_words IS 'Worded answers that the key gets in a day, UTC; null for all that the organisation gets.';

COMMENT ON COLUMN public.api_key.monthly_words IS 'Worded answers that the key gets in a month, UTC; null for all that the organisation gets.';

COMMENT ON CONSTRAINT caps_not_negative ON public.api_key IS 'No cap is less than nothing.';

COMMENT ON CONSTRAINT datasets_named_or_all ON public.api_key IS 'A key is narrowed to at least one dataset, or reads all: an empty list is not allowed.';

COMMENT ON CONSTRAINT four_characters ON public.api_key IS 'The shown end of a secret has four characters.';

COMMENT ON CONSTRAINT key_id_form ON public.api_key IS 'A key id is key_ and 12 letters or digits.';

COMMENT ON CONSTRAINT key_name_not_blank ON public.api_key IS 'A name is not blank.';

COMMENT ON CONSTRAINT lifetime_7_to_365_days ON public.api_key IS 'A key is valid for 7 to 365 days.';

COMMENT ON CONSTRAINT revoked_at_some_instant ON public.api_key IS 'A key that is revoked for good has the instant of its revocation.';

COMMENT ON CONSTRAINT sha256_of_the_secret ON public.api_key IS 'A SHA-256 has 32 bytes.';

CREATE TABLE public.attribute_spread (
    version bigint NOT NULL,
    attribute text NOT NULL,
    level text NOT NULL,
    recorded bigint NOT NULL,
    lacking bigint NOT NULL,
    sampled bigint NOT NULL,
    lowest numeric,
    highest numeric,
    breaks numeric[],
    bins bigint[],
    CONSTRAINT spread_level_known CHECK ((level = ANY (ARRAY['frame'::text, 'block'::text, 'ward'::text, 'lga'::text, 'state'::text])))
);

COMMENT ON TABLE public.attribute_spread IS 'How the values of an attribute spread over frames, and its totals over the units of a level: for legends and the catalogue.';

COMMENT ON COLUMN public.attribute_spread.version IS 'The import of the dataset: dataset.version.';

COMMENT ON COLUMN public.attribute_spread.attribute IS 'As in unit_total.';

COMMENT ON COLUMN public.attribute_spread.level IS 'frame, or the level of the units.';

COMMENT ON COLUMN public.attribute_spread.recorded IS 'Frames that record a value, or units with a total.';

COMMENT ON COLUMN public.attribute_spread.lacking IS 'Frames or units of the index without one.';

COMMENT ON COLUMN public.attribute_spread.sampled IS 'Frames or units that breaks and bins were made from: of many frames, a sample of some 10,000.';

COMMENT ON COLUMN public.attribute_spread.lowest IS 'Lowest number; null where there is none.';

COMMENT ON COLUMN public.attribute_spread.highest IS 'Highest number.';

COMMENT ON COLUMN public.attribute_spread.breaks IS 'Upper bounds of the lower six of seven classes of as many frames or units each; those of zero are left out where no number is lower. A number belongs to the first class whose bound it does not exceed; bounds may repeat.';

COMMENT ON COLUMN public.attribute_spread.bins IS 'Numbers in each of 20 bins of one width between lowest and highest, or of 21 where most numbers lie in the lowest twentieth: see function spread_bin.';

COMMENT ON CONSTRAINT spread_level_known ON public.attribute_spread IS 'A level is frame, block, ward, lga or state.';

CREATE TABLE public.baseline_row (
    version bigint NOT NULL,
    frame_id bigint NOT NULL,
    recorded json NOT NULL
);

COMMENT ON TABLE public.baseline_row IS 'Rows of baselines, one for each frame. View baseline has them by dataset.';

COMMENT ON COLUMN public.baseline_row.version IS 'The import that added it: dataset.version.';

COMMENT ON COLUMN public.baseline_row.frame_id IS 'The frame.';

COMMENT ON COLUMN public.baseline_row.recorded IS 'Attribute names and their values, exactly as the file had them: the bytes that the API sends.';

CREATE VIEW public.baseline AS
 SELECT dataset.layer_id,
    baseline_row.frame_id,
    baseline_row.recorded
   FROM (public.dataset
     JOIN public.baseline_row USING (version));

COMMENT ON VIEW public.baseline IS 'Rows of baselines by dataset: join frame on frame_id, read recorded ->> ''attribute''.';

COMMENT ON COLUMN public.baseline.layer_id IS 'The dataset.';

COMMENT ON COLUMN public.baseline.frame_id IS 'The frame.';

COMMENT ON COLUMN public.baseline.recorded IS 'Attribute names and their values.';

CREATE TABLE public.block_class (
    version bigint NOT NULL,
    attribute text NOT NULL,
    unit_id bigint NOT NULL,
    class text NOT NULL,
    frames bigint NOT NULL
);

COMMENT ON TABLE public.block_class IS 'The classes of each attribute with a commonest class over the frames of each block, as table class has them.';

COMMENT ON COLUMN public.block_class.version IS 'The import of the dataset: dataset.version.';

COMMENT ON COLUMN public.block_class.attribute IS 'The attribute.';

COMMENT ON COLUMN public.block_class.unit_id IS 'The block.';

COMMENT ON COLUMN public.block_class.class IS 'The class.';

COMMENT ON COLUMN public.block_class.frames IS 'Frames that have it.';

CREATE TABLE public.block_feature (
    version bigint NOT NULL,
    unit_id bigint NOT NULL,
    feature_no bigint NOT NULL
);

COMMENT ON TABLE public.block_feature IS 'The features that lie on frames of several blocks, so that an area of blocks counts each once.';

COMMENT ON COLUMN public.block_feature.version IS 'The import of the dataset: dataset.version.';

COMMENT ON COLUMN public.block_feature.unit_id IS 'A block that has the feature on one of its frames.';

COMMENT ON COLUMN public.block_feature.feature_no IS 'The feature.';

CREATE TABLE public.class (
    layer_id text NOT NULL,
    name text NOT NULL,
    value text NOT NULL,
    items bigint NOT NULL,
    CONSTRAINT class_value_not_blank CHECK ((btrim(value) <> ''::text))
);

COMMENT ON TABLE public.class IS 'The distinct values of categories, as an import found them: function classes_keep makes these rows.';

COMMENT ON COLUMN public.class.layer_id IS 'The dataset.';

COMMENT ON COLUMN public.class.name IS 'The attribute of a baseline, or the property of features.';

COMMENT ON COLUMN public.class.value IS 'The value, without blanks around it.';

COMMENT ON COLUMN public.class.items IS 'Frames or features that have it.';

COMMENT ON CONSTRAINT class_value_not_blank ON public.class IS 'A value is not blank.';

CREATE TABLE public.credit_entry (
    entry_id bigint NOT NULL,
    org_id text NOT NULL,
    request_id text NOT NULL,
    kind text NOT NULL,
    ref text DEFAULT ''::text NOT NULL,
    key_id text,
    credits bigint NOT NULL,
    entered_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT charges_name_what_for CHECK (((kind = 'refund'::text) OR ((kind = ANY (ARRAY['top_up'::text, 'worded'::text])) = (ref = ''::text)))),
    CONSTRAINT charges_take_and_others_add CHECK ((((kind = ANY (ARRAY['dataset'::text, 'worded'::text])) = (credits < 0)) AND (credits <> 0))),
    CONSTRAINT kind_known CHECK ((kind = ANY (ARRAY['top_up'::text, 'dataset'::text, 'worded'::text, 'refund'::text]))),
    CONSTRAINT request_id_not_blank CHECK ((btrim(request_id) <> ''::text))
);

COMMENT ON TABLE public.credit_entry IS 'Every change of an account. Rows are added, never changed or removed.';

COMMENT ON COLUMN public.credit_entry.entry_id IS 'Number of the entry, in the order in which they were added.';

COMMENT ON COLUMN public.credit_entry.org_id IS 'The organisation of the account.';

COMMENT ON COLUMN public.credit_entry.request_id IS 'The call or command that changed the account. The same one never counts twice.';

COMMENT ON COLUMN public.credit_entry.kind IS 'top_up: added by an operator; dataset: spent on a dataset that is licensed per query; worded: spent on a worded answer; refund: one of these two given back.';

COMMENT ON COLUMN public.credit_entry.ref IS 'The dataset; blank for a top_up, a worded answer, and the refund of a worded answer.';

COMMENT ON COLUMN public.credit_entry.key_id IS 'The key of the call; null for a top_up. It stays after the key is removed.';

COMMENT ON COLUMN public.credit_entry.credits IS 'Credits added; below zero where they were spent.';

COMMENT ON COLUMN public.credit_entry.entered_at IS 'Instant at which it was added.';

COMMENT ON CONSTRAINT charges_name_what_for ON public.credit_entry IS 'A charge for a dataset names it; a top_up and a worded answer name none.';

COMMENT ON CONSTRAINT charges_take_and_others_add ON public.credit_entry IS 'A charge (dataset, worded) is below zero, a top_up or refund above.';

COMMENT ON CONSTRAINT kind_known ON public.credit_entry IS 'A kind is top_up, dataset, worded or refund.';

COMMENT ON CONSTRAINT request_id_not_blank ON public.credit_entry IS 'A request id is not blank.';

ALTER TABLE public.credit_entry ALTER COLUMN entry_id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.credit_entry_entry_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

COMMENT ON SEQUENCE public.credit_entry_entry_id_seq IS 'Numbers entries.';

CREATE TABLE public.organisation (
    org_id text NOT NULL,
    name text NOT NULL,
    plan text NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT name_not_blank CHECK ((btrim(name) <> ''::text)),
    CONSTRAINT org_id_form CHECK ((org_id ~ '^org_[0-9A-Za-z]{12}$'::text)),
    CONSTRAINT plan_known CHECK ((plan = ANY (ARRAY['trial'::text, 'pro'::text, 'scale'::text])))
);

COMMENT ON TABLE public.organisation IS 'Organisations: they hold keys, own datasets and pay.';

COMMENT ON COLUMN public.organisation.org_id IS 'org_ and 12 letters or digits.';

COMMENT ON COLUMN public.organisation.name IS 'Its name for people, which no other organisation has.';

COMMENT ON COLUMN public.organisation.plan IS 'trial, pro or scale: sets the monthly allowance of worded answers.';

COMMENT ON COLUMN public.organisation.created_at IS 'Instant at which it was entered.';

COMMENT ON CONSTRAINT name_not_blank ON public.organisation IS 'A name is not blank.';

COMMENT ON CONSTRAINT org_id_form ON public.organisation IS 'An organisation id is org_ and 12 letters or digits.';

COMMENT ON CONSTRAINT plan_known ON public.organisation IS 'A plan is trial, pro or scale.';

CREATE TABLE public.person (
    person_id text NOT NULL,
    name text NOT NULL,
    email text,
    issuer text,
    subject text,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT person_id_form CHECK ((person_id ~ '^per_[0-9A-Za-z]{12}$'::text)),
    CONSTRAINT person_name_not_blank CHECK ((btrim(name) <> ''::text)),
    CONSTRAINT subject_has_issuer CHECK (((issuer IS NULL) = (subject IS NULL)))
);

COMMENT ON TABLE public.person IS 'People who sign in to the web app.';

COMMENT ON COLUMN public.person.person_id IS 'per_ and 12 letters or digits.';

COMMENT ON COLUMN public.person.name IS 'The name that pages and events show.';

COMMENT ON COLUMN public.person.email IS 'E-mail address; null where nobody gave one. It identifies nobody.';

COMMENT ON COLUMN public.person.issuer IS 'The OpenID provider that knows the person; null for a person who came by a link.';

COMMENT ON COLUMN public.person.subject IS 'The id of the person at that provider.';

COMMENT ON COLUMN public.person.created_at IS 'Instant at which the person was entered.';

COMMENT ON CONSTRAINT person_id_form ON public.person IS 'A person id is per_ and 12 letters or digits.';

COMMENT ON CONSTRAINT person_name_not_blank ON public.person IS 'A name is not blank.';

COMMENT ON CONSTRAINT subject_has_issuer ON public.person IS 'An issuer and a subject belong together.';

CREATE VIEW public.credit_statement AS
 SELECT entry.org_id,
    organisation.name AS organisation,
    ((entry.entered_at AT TIME ZONE 'UTC'::text))::date AS day,
    entry.entered_at,
    entry.kind,
    NULLIF(entry.ref, ''::text) AS layer_id,
    dataset.name AS dataset,
    entry.key_id,
    api_key.name AS key_name,
    entry.request_id,
    entry.credits,
    sum(entry.credits) OVER (PARTITION BY entry.org_id ORDER BY entry.entry_id) AS balance,
    person.name AS person
   FROM ((((public.credit_entry entry
     JOIN public.organisation USING (org_id))
     LEFT JOIN public.dataset ON ((dataset.layer_id = entry.ref)))
     LEFT JOIN public.api_key ON ((api_key.key_id = entry.key_id)))
     LEFT JOIN public.person ON ((person.person_id = entry.key_id)));

COMMENT ON VIEW public.credit_statement IS 'An organisation''s account, entry by entry, with the balance after each: group it by day, dataset, key or request.';

COMMENT ON COLUMN public.credit_statement.org_id IS 'The organisation.';

COMMENT ON COLUMN public.credit_statement.organisation IS 'Its name.';

COMMENT ON COLUMN public.credit_statement.day IS 'The day, UTC.';

COMMENT ON COLUMN public.credit_statement.entered_at IS 'The instant.';

COMMENT ON COLUMN public.credit_statement.kind IS 'top_up, dataset, worded or refund, as in credit_entry.';

COMMENT ON COLUMN public.credit_statement.layer_id IS 'The dataset that was charged for or given back.';

COMMENT ON COLUMN public.credit_statement.dataset IS 'Its name; null after the dataset is removed.';

COMMENT ON COLUMN public.credit_statement.key_id IS 'The key of the call, or the person who asked in the web app.';

COMMENT ON COLUMN public.credit_statement.key_name IS 'Holder of the key; null after the key is removed, and for a person.';

COMMENT ON COLUMN public.credit_statement.request_id IS 'The call: its X-Request-Id.';

COMMENT ON COLUMN public.credit_statement.credits IS 'Credits added; below zero where they were spent.';

COMMENT ON COLUMN public.credit_statement.balance IS 'The balance after this entry.';

COMMENT ON COLUMN public.credit_statement.person IS 'The person who asked in the web app; null for a key, and after the person is removed.';

CREATE SEQUENCE public.dataset_version
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE public.dataset_version OWNED BY public.dataset.version;

COMMENT ON SEQUENCE public.dataset_version IS 'Numbers imports of datasets: one number for all rows of one import.';

CREATE TABLE public.frame_interval (
    version bigint NOT NULL,
    attribute text NOT NULL,
    frame_id bigint NOT NULL,
    lower numeric NOT NULL,
    upper numeric NOT NULL,
    draws numeric[]
);

COMMENT ON TABLE public.frame_interval IS 'Between which bounds a modelled value lies on each frame. View baseline has the values.';

COMMENT ON COLUMN public.frame_interval.version IS 'The import of the dataset: dataset.version.';

COMMENT ON COLUMN public.frame_interval.attribute IS 'The attribute, which has bounds or draws.';

COMMENT ON COLUMN public.frame_interval.frame_id IS 'The frame.';

COMMENT ON COLUMN public.frame_interval.lower IS 'The lower bound, as the file has it, or that of the 95 % interval of the draws.';

COMMENT ON COLUMN public.frame_interval.upper IS 'The upper bound.';

COMMENT ON COLUMN public.frame_interval.draws IS 'The draws of the model; null for an attribute with bounds. Draw n of every frame is of one run of the model, so that they are added up by n.';

CREATE TABLE public.frame_order (
    number integer NOT NULL,
    frame_id bigint NOT NULL,
    spot public.geometry(Point,4326) NOT NULL
);

COMMENT ON TABLE public.frame_order IS 'The frames in the order of their lowest units, so that every unit is one range of numbers.';

COMMENT ON COLUMN public.frame_order.number IS 'From 0. Frames outside all units come last; those of one unit follow one another by their ids.';

COMMENT ON COLUMN public.frame_order.frame_id IS 'The frame.';

COMMENT ON COLUMN public.frame_order.spot IS 'A point inside the frame, in its middle where it is a whole cell: distances to features start there.';

CREATE TABLE public.frame_run (
    first_id bigint NOT NULL,
    last_id bigint NOT NULL,
    extent public.geometry(Geometry,4326) NOT NULL,
    CONSTRAINT run_in_order CHECK ((first_id <= last_id))
);

COMMENT ON TABLE public.frame_run IS 'Frames in id order, 256 to a run, each run with its extent. The query of a large box walks runs to find its lowest ids.';

COMMENT ON COLUMN public.frame_run.first_id IS 'Lowest frame id of the run.';

COMMENT ON COLUMN public.frame_run.last_id IS 'Highest frame id of the run.';

COMMENT ON COLUMN public.frame_run.extent IS 'Rectangle around the frames of the run.';

COMMENT ON CONSTRAINT run_in_order ON public.frame_run IS 'The first id of a run is not above its last.';

CREATE TABLE public.frame_unit (
    frame_id bigint NOT NULL,
    home_id bigint,
    block_id bigint NOT NULL
);

COMMENT ON TABLE public.frame_unit IS 'The lowest unit and the block of each frame, in few pages: totals add frames up by them.';

COMMENT ON COLUMN public.frame_unit.frame_id IS 'The frame.';

COMMENT ON COLUMN public.frame_unit.home_id IS 'unit.unit_id of its ward, or of its area where it has no ward; null outside the units.';

COMMENT ON COLUMN public.frame_unit.block_id IS 'unit.unit_id of the block that has the centre of its box.';

CREATE TABLE public.index_generation (
    only_row boolean DEFAULT true NOT NULL,
    generation bigint NOT NULL,
    frames bigint NOT NULL,
    source text NOT NULL,
    switched_at timestamp with time zone NOT NULL,
    CONSTRAINT one_row CHECK (only_row)
);

COMMENT ON TABLE public.index_generation IS 'The index that is served: one row, which changes in the transaction that puts a new index in place.';

COMMENT ON COLUMN public.index_generation.only_row IS 'Always true: the table has one row.';

COMMENT ON COLUMN public.index_generation.generation IS 'Grows by one with each new index; part of every ETag.';

COMMENT ON COLUMN public.index_generation.frames IS 'Frames in the index.';

COMMENT ON COLUMN public.index_generation.source IS 'The source that the index was made from.';

COMMENT ON COLUMN public.index_generation.switched_at IS 'Instant at which it was put in place.';

COMMENT ON CONSTRAINT one_row ON public.index_generation IS 'The table has one row.';

CREATE TABLE public.key_event (
    event_id bigint NOT NULL,
    org_id text NOT NULL,
    action text NOT NULL,
    key_id text,
    person_id text,
    actor_person text,
    actor text NOT NULL,
    from_address text,
    detail jsonb DEFAULT '{}'::jsonb NOT NULL,
    entered_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT action_known CHECK ((action = ANY (ARRAY['minted'::text, 'rolled'::text, 'revoked'::text, 'changed'::text, 'deleted'::text, 'invited'::text, 'link_made'::text, 'link_withdrawn'::text, 'joined'::text, 'role_changed'::text, 'limit_changed'::text, 'removed'::text, 'signed_in'::text, 'session_ended'::text, 'passkey_added'::text, 'passkey_removed'::text, 'created'::text, 'organisation_changed'::text, 'organisation_deleted'::text, 'topped_up'::text]))),
    CONSTRAINT actor_not_blank CHECK ((btrim(actor) <> ''::text))
);

COMMENT ON TABLE public.key_event IS 'Changes of keys, members, their sign-ins, and organisations. Triggers add the rows; nothing changes or removes them.';

COMMENT ON COLUMN public.key_event.event_id IS 'Number of the event, in the order in which they were added.';

COMMENT ON COLUMN public.key_event.org_id IS 'The organisation.';

COMMENT ON COLUMN public.key_event.action IS 'Of a key: minted, rolled, revoked, changed, deleted. Of people: invited, link_made, link_withdrawn, joined, role_changed, limit_changed, removed, signed_in, session_ended, passkey_added, passkey_removed. Of the organisation: created, organisation_changed, organisation_deleted, topped_up.';

COMMENT ON COLUMN public.key_event.key_id IS 'The key that changed.';

COMMENT ON COLUMN public.key_event.person_id IS 'The person whom the change concerns.';

COMMENT ON COLUMN public.key_event.actor_person IS 'The person who made the change; null for the command line and psql.';

COMMENT ON COLUMN public.key_event.actor IS 'Name of the one who made the change: a person, the command line, or a role of the database.';

COMMENT ON COLUMN public.key_event.from_address IS 'The client''s address; null for the command line and psql.';

COMMENT ON COLUMN public.key_event.detail IS 'Values that changed. It holds no secret and no hash.';

COMMENT ON COLUMN public.key_event.entered_at IS 'Instant of the change.';

COMMENT ON CONSTRAINT action_known ON public.key_event IS 'Each action has one of these names.';

COMMENT ON CONSTRAINT actor_not_blank ON public.key_event IS 'Every event names an actor.';

ALTER TABLE public.key_event ALTER COLUMN event_id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.key_event_event_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

COMMENT ON SEQUENCE public.key_event_event_id_seq IS 'Numbers events.';

CREATE TABLE public.key_seen (
    key_id text NOT NULL,
    seen_at timestamp with time zone NOT NULL
);

COMMENT ON TABLE public.key_seen IS 'Instant of the last call of each key.';

COMMENT ON COLUMN public.key_seen.key_id IS 'The key. It stays after the key is removed.';

COMMENT ON COLUMN public.key_seen.seen_at IS 'Instant of its last call, to the seconds between two counts.';

CREATE TABLE public.key_use (
    key_id text NOT NULL,
    day date NOT NULL,
    call text NOT NULL,
    outcome text NOT NULL,
    bucket text DEFAULT ''::text NOT NULL,
    calls bigint NOT NULL,
    last_request_id text,
    CONSTRAINT calls_positive CHECK ((calls > 0))
);

COMMENT ON TABLE public.key_use IS 'Calls of each key by day, call and outcome.';

COMMENT ON COLUMN public.key_use.key_id IS 'The key. It stays after the key is removed.';

COMMENT ON COLUMN public.key_use.day IS 'The day, UTC.';

COMMENT ON COLUMN public.key_use.call IS 'The call: the pattern of its path, such as /v1/frames/at.';

COMMENT ON COLUMN public.key_use.outcome IS 'ok, worded, not_modified, hung_up (the client did), or the code of the error.';

COMMENT ON COLUMN public.key_use.bucket IS 'The bucket that refused the call; blank for every other outcome.';

COMMENT ON COLUMN public.key_use.calls IS 'Number of calls.';

COMMENT ON COLUMN public.key_use.last_request_id IS 'X-Request-Id of the last of them; null for ok, worded and not_modified.';

COMMENT ON CONSTRAINT calls_positive ON public.key_use IS 'A row counts at least one call.';

CREATE TABLE public.layer_styles (
    id integer NOT NULL,
    f_table_catalog text,
    f_table_schema text,
    f_table_name text,
    f_geometry_column text,
    stylename text,
    styleqml xml,
    stylesld xml,
    useasdefault boolean,
    description text,
    owner text,
    ui xml,
    update_time timestamp with time zone DEFAULT CURRENT_TIMESTAMP,
    type text
);

COMMENT ON TABLE public.layer_styles IS 'Styles that QGIS finds with a layer. QGIS defines this table; the program makes the rows of owner "frames".';

COMMENT ON COLUMN public.layer_styles.id IS 'The style.';

COMMENT ON COLUMN public.layer_styles.f_table_catalog IS 'Name of the database: QGIS looks for its own.';

COMMENT ON COLUMN public.layer_styles.f_table_schema IS 'Schema of the layer.';

COMMENT ON COLUMN public.layer_styles.f_table_name IS 'The layer.';

COMMENT ON COLUMN public.layer_styles.f_geometry_column IS 'Its geometry.';

COMMENT ON COLUMN public.layer_styles.stylename IS 'Name of the style.';

COMMENT ON COLUMN public.layer_styles.styleqml IS 'The style as QGIS writes it.';

COMMENT ON COLUMN public.layer_styles.stylesld IS 'The style as SLD, where there is one.';

COMMENT ON COLUMN public.layer_styles.useasdefault IS 'True if QGIS shows a new layer in this style.';

COMMENT ON COLUMN public.layer_styles.description IS 'Description for people.';

COMMENT ON COLUMN public.layer_styles.owner IS 'frames for the program, else the role that saved it from QGIS.';

COMMENT ON COLUMN public.layer_styles.ui IS 'A form of QGIS, where there is one.';

COMMENT ON COLUMN public.layer_styles.update_time IS 'Instant at which it was made.';

COMMENT ON COLUMN public.layer_styles.type IS 'Kind of geometry, as newer versions of QGIS write it; null for any.';

ALTER TABLE public.layer_styles ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.layer_styles_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

COMMENT ON SEQUENCE public.layer_styles_id_seq IS 'Numbers styles.';

CREATE TABLE public.licence (
    layer_id text NOT NULL,
    org_id text,
    price integer,
    file_price integer,
    CONSTRAINT file_price_beside_price CHECK (((file_price > 0) AND ((file_price IS NULL) OR (price IS NOT NULL)))),
    CONSTRAINT price_positive CHECK ((price > 0))
);

COMMENT ON TABLE public.licence IS 'Licences to read a dataset of another organisation. A licence of the organisation goes before one for everyone.';

COMMENT ON COLUMN public.licence.layer_id IS 'The dataset.';

COMMENT ON COLUMN public.licence.org_id IS 'The organisation that may read it; null for everyone.';

COMMENT ON COLUMN public.licence.price IS 'Whole credits for each call that the dataset contributes to; null where reading is free.';

COMMENT ON COLUMN public.licence.file_price IS 'Whole credits for the dataset as a file, once for a version and an organisation; null where it is sold by the call alone.';

COMMENT ON CONSTRAINT file_price_beside_price ON public.licence IS 'A file has a price, above zero, where a call has one.';

COMMENT ON CONSTRAINT price_positive ON public.licence IS 'A price is a whole number of credits above zero; a free licence has none.';

CREATE TABLE public.membership (
    person_id text NOT NULL,
    org_id text NOT NULL,
    role text NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    from_claim boolean DEFAULT false NOT NULL,
    daily_credits integer,
    CONSTRAINT daily_credits_not_negative CHECK ((daily_credits >= 0)),
    CONSTRAINT role_known CHECK ((role = ANY (ARRAY['owner'::text, 'admin'::text, 'member'::text])))
);

COMMENT ON TABLE public.membership IS 'The people of each organisation, with their roles.';

COMMENT ON COLUMN public.membership.person_id IS 'The person.';

COMMENT ON COLUMN public.membership.org_id IS 'The organisation.';

COMMENT ON COLUMN public.membership.role IS 'owner: changes members, and all below; admin: keys, usage, credits; member: reads.';

COMMENT ON COLUMN public.membership.created_at IS 'Instant at which the person joined.';

COMMENT ON COLUMN public.membership.from_claim IS 'True where the claims of an OpenID provider gave the role: each sign-in with the provider changes or ends it.';

COMMENT ON COLUMN public.membership.daily_credits IS 'Credits that the person may spend in a day, UTC; null for all that the organisation has.';

COMMENT ON CONSTRAINT daily_credits_not_negative ON public.membership IS 'A day has no fewer credits than none.';

COMMENT ON CONSTRAINT role_known ON public.membership IS 'A role is owner, admin or member.';

CREATE TABLE public.migration (
    id integer NOT NULL,
    name character varying(255) NOT NULL,
    run_on timestamp without time zone NOT NULL
);

COMMENT ON TABLE public.migration IS 'Migrations that were applied to this database. node-pg-migrate keeps it.';

COMMENT ON COLUMN public.migration.id IS 'Number of the migration, in the order in which they were applied.';

COMMENT ON COLUMN public.migration.name IS 'Name of the file in migrations/, without .sql.';

COMMENT ON COLUMN public.migration.run_on IS 'Instant at which it was applied, in the time zone of the session.';

CREATE SEQUENCE public.migration_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE public.migration_id_seq OWNED BY public.migration.id;

COMMENT ON SEQUENCE public.migration_id_seq IS 'Numbers migrations.';

CREATE TABLE public.paid_walk (
    org_id text NOT NULL,
    key_id text NOT NULL,
    walk text NOT NULL,
    request_id text NOT NULL,
    paid_at timestamp with time zone NOT NULL,
    is_shared boolean DEFAULT false NOT NULL
);

COMMENT ON TABLE public.paid_walk IS 'What is paid for: walks of /ogc, of which no page is charged again for an hour, and versions of datasets that an organisation has bought as a file.';

COMMENT ON COLUMN public.paid_walk.org_id IS 'The organisation that paid.';

COMMENT ON COLUMN public.paid_walk.key_id IS 'The key of the walk; blank for a file, which every key of the organisation may read.';

COMMENT ON COLUMN public.paid_walk.walk IS 'A hash of the collection, the version of its dataset, and the area and the filter that choose the items; or "file", a dataset and a version.';

COMMENT ON COLUMN public.paid_walk.request_id IS 'The call that was charged: its X-Request-Id.';

COMMENT ON COLUMN public.paid_walk.paid_at IS 'Instant of the charge. The service removes the row of a walk a day later.';

COMMENT ON COLUMN public.paid_walk.is_shared IS 'True once another call had a page or a file for this charge, which is then not given back.';

CREATE TABLE public.passkey (
    credential_id text NOT NULL,
    person_id text NOT NULL,
    public_key bytea NOT NULL,
    counter bigint DEFAULT 0 NOT NULL,
    transports text[] DEFAULT '{}'::text[] NOT NULL,
    name text NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    used_at timestamp with time zone,
    CONSTRAINT counter_not_negative CHECK ((counter >= 0)),
    CONSTRAINT passkey_name_not_blank CHECK ((btrim(name) <> ''::text))
);

COMMENT ON TABLE public.passkey IS 'Passkeys of people (WebAuthn): public keys only.';

COMMENT ON COLUMN public.passkey.credential_id IS 'Id of the credential, base64url, as the authenticator gave it.';

COMMENT ON COLUMN public.passkey.person_id IS 'The person who signs in with it.';

COMMENT ON COLUMN public.passkey.public_key IS 'Public key, COSE.';

COMMENT ON COLUMN public.passkey.counter IS 'The authenticator''s counter at the last sign-in; a lower one betrays a copy.';

COMMENT ON COLUMN public.passkey.transports IS 'How the browser reaches the authenticator, such as internal or usb.';

COMMENT ON COLUMN public.passkey.name IS 'Its name for the person.';

COMMENT ON COLUMN public.passkey.created_at IS 'Instant at which it was added.';

COMMENT ON COLUMN public.passkey.used_at IS 'Instant of the last sign-in with it.';

COMMENT ON CONSTRAINT counter_not_negative ON public.passkey IS 'A counter is not below zero.';

COMMENT ON CONSTRAINT passkey_name_not_blank ON public.passkey IS 'A name is not blank.';

CREATE TABLE public.repeated_call (
    org_id text NOT NULL,
    request_id text NOT NULL,
    idempotency_key text NOT NULL,
    asked text NOT NULL,
    paid_as text NOT NULL,
    has_failed boolean DEFAULT false NOT NULL,
    began_at timestamp with time zone NOT NULL
);

COMMENT ON TABLE public.repeated_call IS 'Calls that came with an Idempotency-Key. Those of one key are charged as one, for 24 hours.';

COMMENT ON COLUMN public.repeated_call.org_id IS 'The organisation that pays.';

COMMENT ON COLUMN public.repeated_call.request_id IS 'The call: its X-Request-Id.';

COMMENT ON COLUMN public.repeated_call.idempotency_key IS 'The key that the client made.';

COMMENT ON COLUMN public.repeated_call.asked IS 'A hash of what the call asks.';

COMMENT ON COLUMN public.repeated_call.paid_as IS 'The call whose id the ledger has: the first of them that did not fail.';

COMMENT ON COLUMN public.repeated_call.has_failed IS 'True once nobody gets the answer of this call. Where all have failed, the charge is given back.';

COMMENT ON COLUMN public.repeated_call.began_at IS 'Instant of the first call. The service removes the row two days later.';

CREATE TABLE public.session (
    token_hash bytea NOT NULL,
    person_id text NOT NULL,
    org_id text NOT NULL,
    made_by text NOT NULL,
    from_address text,
    browser text,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    seen_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    ends_at timestamp with time zone NOT NULL,
    CONSTRAINT made_by_known CHECK ((made_by = ANY (ARRAY['link'::text, 'openid'::text, 'passkey'::text]))),
    CONSTRAINT seven_days_at_most CHECK (((ends_at - created_at) <= '7 days'::interval)),
    CONSTRAINT sha256_of_the_session CHECK ((octet_length(token_hash) = 32))
);

COMMENT ON TABLE public.session IS 'Sessions of the web app. A session that is deleted ends at once; so does one whose membership is deleted.';

COMMENT ON COLUMN public.session.token_hash IS 'SHA-256 of the token in the cookie. The token itself is not stored.';

COMMENT ON COLUMN public.session.person_id IS 'The person who signed in.';

COMMENT ON COLUMN public.session.org_id IS 'The organisation that the person looks at.';

COMMENT ON COLUMN public.session.made_by IS 'link, openid or passkey: the way in which the person signed in.';

COMMENT ON COLUMN public.session.from_address IS 'The client''s address at sign-in.';

COMMENT ON COLUMN public.session.browser IS 'The browser at sign-in, as its User-Agent names it.';

COMMENT ON COLUMN public.session.created_at IS 'Instant of the sign-in.';

COMMENT ON COLUMN public.session.seen_at IS 'Instant of the last request, to the minute.';

COMMENT ON COLUMN public.session.ends_at IS 'The app refuses the session from this instant on.';

COMMENT ON CONSTRAINT made_by_known ON public.session IS 'A session is made by a link, an OpenID provider or a passkey.';

COMMENT ON CONSTRAINT seven_days_at_most ON public.session IS 'A session ends after seven days at most.';

COMMENT ON CONSTRAINT sha256_of_the_session ON public.session IS 'A SHA-256 has 32 bytes.';

CREATE TABLE public.sign_in_attempt (
    token_hash bytea NOT NULL,
    kind text NOT NULL,
    payload jsonb NOT NULL,
    valid_until timestamp with time zone NOT NULL,
    CONSTRAINT attempt_kind_known CHECK ((kind = ANY (ARRAY['openid'::text, 'passkey'::text]))),
    CONSTRAINT sha256_of_the_attempt CHECK ((octet_length(token_hash) = 32))
);

COMMENT ON TABLE public.sign_in_attempt IS 'State of a sign-in between two requests. The app deletes the row when it uses it, so an answer counts once.';

COMMENT ON COLUMN public.sign_in_attempt.token_hash IS 'SHA-256 of the token in the cookie of the attempt.';

COMMENT ON COLUMN public.sign_in_attempt.kind IS 'openid or passkey.';

COMMENT ON COLUMN public.sign_in_attempt.payload IS 'openid: state, nonce and PKCE verifier; passkey: the challenge.';

COMMENT ON COLUMN public.sign_in_attempt.valid_until IS 'The app refuses the attempt from this instant on.';

COMMENT ON CONSTRAINT attempt_kind_known ON public.sign_in_attempt IS 'A kind is openid or passkey.';

COMMENT ON CONSTRAINT sha256_of_the_attempt ON public.sign_in_attempt IS 'A SHA-256 has 32 bytes.';

CREATE TABLE public.sign_in_link (
    token_hash bytea NOT NULL,
    org_id text NOT NULL,
    role text NOT NULL,
    person_id text,
    name text,
    email text,
    created_by text,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    valid_until timestamp with time zone NOT NULL,
    used_at timestamp with time zone,
    CONSTRAINT link_for_somebody CHECK (((person_id IS NOT NULL) OR (name IS NOT NULL) OR (email IS NOT NULL))),
    CONSTRAINT link_name_not_blank CHECK ((btrim(name) <> ''::text)),
    CONSTRAINT link_of_a_day_at_most CHECK (((valid_until - created_at) <= '1 day'::interval)),
    CONSTRAINT link_role_known CHECK ((role = ANY (ARRAY['owner'::text, 'admin'::text, 'member'::text]))),
    CONSTRAINT sha256_of_the_link CHECK ((octet_length(token_hash) = 32))
);

COMMENT ON TABLE public.sign_in_link IS 'One-time links: each signs one person in to one organisation, and invites a person who is new.';

COMMENT ON COLUMN public.sign_in_link.token_hash IS 'SHA-256 of the token in the link. The token itself is not stored.';

COMMENT ON COLUMN public.sign_in_link.org_id IS 'The organisation that the person signs in to.';

COMMENT ON COLUMN public.sign_in_link.role IS 'The role of a person who joins by the link. A member keeps the present role.';

COMMENT ON COLUMN public.sign_in_link.person_id IS 'The person, where there is one already; null for an invitation of a new person.';

COMMENT ON COLUMN public.sign_in_link.name IS 'Name of the invited person.';

COMMENT ON COLUMN public.sign_in_link.email IS 'E-mail address of the invited person.';

COMMENT ON COLUMN public.sign_in_link.created_by IS 'The person who made the link; null for the command line.';

COMMENT ON COLUMN public.sign_in_link.created_at IS 'Instant at which it was made.';

COMMENT ON COLUMN public.sign_in_link.valid_until IS 'The app refuses the link from this instant on.';

COMMENT ON COLUMN public.sign_in_link.used_at IS 'Instant at which it was used; null for a link that is not used. A used link signs nobody in.';

COMMENT ON CONSTRAINT link_for_somebody ON public.sign_in_link IS 'A link names a person, a name or an e-mail address.';

COMMENT ON CONSTRAINT link_name_not_blank ON public.sign_in_link IS 'A name is not blank.';

COMMENT ON CONSTRAINT link_of_a_day_at_most ON public.sign_in_link IS 'A link is valid for a day at most.';

COMMENT ON CONSTRAINT link_role_known ON public.sign_in_link IS 'A role is owner, admin or member.';

COMMENT ON CONSTRAINT sha256_of_the_link ON public.sign_in_link IS 'A SHA-256 has 32 bytes.';

CREATE TABLE public.style (
    name text NOT NULL,
    styleqml xml NOT NULL,
    changed_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);

COMMENT ON TABLE public.style IS 'The styles of sql/styles/, as "frames migrate" read them. Function analyst_style makes those of layer_styles from them.';

COMMENT ON COLUMN public.style.name IS 'The file: a view of schema analyst, a kind of dataset, or numbers or categories for baselines.';

COMMENT ON COLUMN public.style.styleqml IS 'The style as QGIS writes it.';

COMMENT ON COLUMN public.style.changed_at IS 'Instant at which "frames migrate" read a changed file.';

CREATE TABLE public.unknown_word (
    org_id text NOT NULL,
    month date NOT NULL,
    word text NOT NULL,
    times bigint NOT NULL,
    CONSTRAINT month_begins CHECK ((EXTRACT(day FROM month) = (1)::numeric)),
    CONSTRAINT times_positive CHECK ((times > 0)),
    CONSTRAINT word_is_one CHECK ((word !~ '[0-9@.[:space:]]'::text)),
    CONSTRAINT word_is_short CHECK (((char_length(word) >= 3) AND (char_length(word) <= 30)))
);

COMMENT ON TABLE public.unknown_word IS 'Words of answered questions that no name of the catalogue has, counted by organisation and month, without the questions.';

COMMENT ON COLUMN public.unknown_word.org_id IS 'The organisation whose people or keys asked.';

COMMENT ON COLUMN public.unknown_word.month IS 'The first day of the month, UTC. The service removes the row twelve months later.';

COMMENT ON COLUMN public.unknown_word.word IS 'The word in lower case without accents: 3 to 30 letters.';

COMMENT ON COLUMN public.unknown_word.times IS 'Number of questions that had it.';

COMMENT ON CONSTRAINT month_begins ON public.unknown_word IS 'A month is its first day.';

COMMENT ON CONSTRAINT times_positive ON public.unknown_word IS 'A row counts at least one question.';

COMMENT ON CONSTRAINT word_is_one ON public.unknown_word IS 'A word has no digit, no space, and nothing of an address.';

COMMENT ON CONSTRAINT word_is_short ON public.unknown_word IS 'A word has 3 to 30 characters.';

CREATE TABLE public.value_array (
    version bigint NOT NULL,
    name text NOT NULL,
    chunk integer NOT NULL,
    numbers numeric[],
    texts text[],
    CONSTRAINT numbers_or_texts CHECK (((numbers IS NULL) <> (texts IS NULL)))
);

COMMENT ON TABLE public.value_array IS 'The values of an attribute of a baseline, 1,024 frames to a row, or of a property of features, 1,024 features to a row.';

COMMENT ON COLUMN public.value_array.version IS 'dataset.version; 0 for the index itself.';

COMMENT ON COLUMN public.value_array.name IS 'The attribute or the property; frame_id and geom (the land in km²) of the index.';

COMMENT ON COLUMN public.value_array.chunk IS 'Its values have the numbers from 1,024 times chunk: frame_order.number, or feature.feature_no less 1. A chunk without a value has no row.';

COMMENT ON COLUMN public.value_array.numbers IS 'Of numbers: the value of each, null where there is none or it is no plain number.';

COMMENT ON COLUMN public.value_array.texts IS 'Of categories: the class of each, null where there is none.';

COMMENT ON CONSTRAINT numbers_or_texts ON public.value_array IS 'An attribute is one of both.';

CREATE TABLE public.value_row (
    version bigint NOT NULL,
    frame_id bigint NOT NULL,
    numbers numeric[],
    texts text[]
)
WITH (toast_tuple_target='8160');

COMMENT ON TABLE public.value_row IS 'The values of each row of a baseline as numbers and texts: the views of analysts read them.';

COMMENT ON COLUMN public.value_row.version IS 'The import of the dataset: dataset.version.';

COMMENT ON COLUMN public.value_row.frame_id IS 'The frame.';

COMMENT ON COLUMN public.value_row.numbers IS 'At attribute.place the value of an attribute of numbers: null where it is no plain number, and for a category.';

COMMENT ON COLUMN public.value_row.texts IS 'At attribute.place the value of a category, exactly as the file had it; null for a number.';

CREATE TABLE public.voided_call (
    org_id text NOT NULL,
    request_id text NOT NULL,
    voided_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);

COMMENT ON TABLE public.voided_call IS 'Calls that failed after they asked to be charged. They are charged nothing, even if the charge commits later.';

COMMENT ON COLUMN public.voided_call.org_id IS 'The organisation of the call.';

COMMENT ON COLUMN public.voided_call.request_id IS 'The call: its X-Request-Id.';

COMMENT ON COLUMN public.voided_call.voided_at IS 'Instant of the decision. The service removes the row a day later.';

CREATE TABLE public.worded_hold (
    request_id text NOT NULL,
    org_id text NOT NULL,
    day date NOT NULL,
    covered_by text NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    posted boolean DEFAULT false NOT NULL,
    key_id text,
    CONSTRAINT covered_by_known CHECK ((covered_by = ANY (ARRAY['allowance'::text, 'credits'::text])))
);

COMMENT ON TABLE public.worded_hold IS 'Worded answers that are being made. Each reserves its place until it is returned, fails or expires; a returned one stays until its month is over.';

COMMENT ON COLUMN public.worded_hold.request_id IS 'The call.';

COMMENT ON COLUMN public.worded_hold.org_id IS 'The organisation.';

COMMENT ON COLUMN public.worded_hold.day IS 'The day it counts for, UTC.';

COMMENT ON COLUMN public.worded_hold.covered_by IS 'allowance, or credits: one credit is reserved.';

COMMENT ON COLUMN public.worded_hold.expires_at IS 'From this instant on it reserves nothing: its process is gone.';

COMMENT ON COLUMN public.worded_hold.posted IS 'True once the answer is counted, so that a retry does not count it again. The service removes the row after its month, or a day after it expired.';

COMMENT ON COLUMN public.worded_hold.key_id IS 'The key, or the person in the app, that pays; null for a hold of a release before.';

COMMENT ON CONSTRAINT covered_by_known ON public.worded_hold IS 'A hold is covered by the allowance or by credits.';

CREATE TABLE public.worded_use (
    org_id text NOT NULL,
    day date NOT NULL,
    by_allowance integer DEFAULT 0 NOT NULL,
    by_credits integer DEFAULT 0 NOT NULL,
    CONSTRAINT by_allowance_not_negative CHECK ((by_allowance >= 0)),
    CONSTRAINT by_credits_not_negative CHECK ((by_credits >= 0))
);

COMMENT ON TABLE public.worded_use IS 'Worded answers that were returned, by organisation and day.';

COMMENT ON COLUMN public.worded_use.org_id IS 'The organisation.';

COMMENT ON COLUMN public.worded_use.day IS 'The day, UTC.';

COMMENT ON COLUMN public.worded_use.by_allowance IS 'Answers that the monthly allowance covered.';

COMMENT ON COLUMN public.worded_use.by_credits IS 'Answers that cost a credit each.';

COMMENT ON CONSTRAINT by_allowance_not_negative ON public.worded_use IS 'A count is not below zero.';

COMMENT ON CONSTRAINT by_credits_not_negative ON public.worded_use IS 'A count is not below zero.';

ALTER TABLE ONLY public.migration ALTER COLUMN id SET DEFAULT nextval('public.migration_id_seq'::regclass);

ALTER TABLE ONLY public.account
    ADD CONSTRAINT account_pkey PRIMARY KEY (org_id);

ALTER TABLE ONLY public.api_key
    ADD CONSTRAINT api_key_pkey PRIMARY KEY (key_id);

ALTER TABLE ONLY public.api_key
    ADD CONSTRAINT api_key_secret_hash_key UNIQUE (secret_hash);

ALTER TABLE ONLY public.attribute
    ADD CONSTRAINT attribute_pkey PRIMARY KEY (layer_id, name);

ALTER TABLE ONLY public.attribute_spread
    ADD CONSTRAINT attribute_spread_pkey PRIMARY KEY (version, attribute, level);

ALTER TABLE ONLY public.baseline_row
    ADD CONSTRAINT baseline_row_pkey PRIMARY KEY (version, frame_id);

ALTER TABLE ONLY public.block_class
    ADD CONSTRAINT block_class_pkey PRIMARY KEY (version, attribute, unit_id, class);

ALTER TABLE ONLY public.block_feature
    ADD CONSTRAINT block_feature_pkey PRIMARY KEY (version, unit_id, feature_no);

ALTER TABLE ONLY public.class
    ADD CONSTRAINT class_pkey PRIMARY KEY (layer_id, name, value);

ALTER TABLE ONLY public.credit_entry
    ADD CONSTRAINT credit_entry_once UNIQUE (org_id, request_id, kind, ref);

ALTER TABLE ONLY public.credit_entry
    ADD CONSTRAINT credit_entry_pkey PRIMARY KEY (entry_id);

ALTER TABLE ONLY public.dataset
    ADD CONSTRAINT dataset_distance_to_once UNIQUE (distance_to);

ALTER TABLE ONLY public.dataset
    ADD CONSTRAINT dataset_pkey PRIMARY KEY (layer_id);

ALTER TABLE ONLY public.dataset
    ADD CONSTRAINT dataset_version_once UNIQUE (version);

ALTER TABLE ONLY public.feature_frame
    ADD CONSTRAINT feature_frame_pkey PRIMARY KEY (version, frame_id, feature_no);

ALTER TABLE ONLY public.feature
    ADD CONSTRAINT feature_pkey PRIMARY KEY (version, feature_no);

ALTER TABLE ONLY public.frame_interval
    ADD CONSTRAINT frame_interval_pkey PRIMARY KEY (version, attribute, frame_id) INCLUDE (lower, upper);

ALTER TABLE ONLY public.frame_order
    ADD CONSTRAINT frame_order_frame_id_key UNIQUE (frame_id);

ALTER TABLE ONLY public.frame_order
    ADD CONSTRAINT frame_order_pkey PRIMARY KEY (number);

ALTER TABLE ONLY public.frame
    ADD CONSTRAINT frame_pkey PRIMARY KEY (frame_id);

ALTER TABLE ONLY public.frame_run
    ADD CONSTRAINT frame_run_pkey PRIMARY KEY (first_id);

ALTER TABLE ONLY public.frame_unit
    ADD CONSTRAINT frame_unit_pkey PRIMARY KEY (frame_id);

ALTER TABLE ONLY public.index_generation
    ADD CONSTRAINT index_generation_pkey PRIMARY KEY (only_row);

ALTER TABLE ONLY public.key_event
    ADD CONSTRAINT key_event_pkey PRIMARY KEY (event_id);

ALTER TABLE ONLY public.key_seen
    ADD CONSTRAINT key_seen_pkey PRIMARY KEY (key_id);

ALTER TABLE ONLY public.key_use
    ADD CONSTRAINT key_use_pkey PRIMARY KEY (key_id, day, call, outcome, bucket);

ALTER TABLE ONLY public.layer_styles
    ADD CONSTRAINT layer_styles_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.lga
    ADD CONSTRAINT lga_pkey PRIMARY KEY (state, lga);

ALTER TABLE ONLY public.licence
    ADD CONSTRAINT licence_once UNIQUE NULLS NOT DISTINCT (layer_id, org_id);

ALTER TABLE ONLY public.membership
    ADD CONSTRAINT membership_pkey PRIMARY KEY (person_id, org_id);

ALTER TABLE ONLY public.migration
    ADD CONSTRAINT migration_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.organisation
    ADD CONSTRAINT organisation_name_key UNIQUE (name);

ALTER TABLE ONLY public.organisation
    ADD CONSTRAINT organisation_pkey PRIMARY KEY (org_id);

ALTER TABLE ONLY public.paid_walk
    ADD CONSTRAINT paid_walk_pkey PRIMARY KEY (org_id, key_id, walk);

ALTER TABLE ONLY public.passkey
    ADD CONSTRAINT passkey_pkey PRIMARY KEY (credential_id);

ALTER TABLE ONLY public.person
    ADD CONSTRAINT person_of_provider UNIQUE (issuer, subject);

ALTER TABLE ONLY public.person
    ADD CONSTRAINT person_pkey PRIMARY KEY (person_id);

ALTER TABLE ONLY public.property
    ADD CONSTRAINT property_pkey PRIMARY KEY (layer_id, name);

ALTER TABLE ONLY public.repeated_call
    ADD CONSTRAINT repeated_call_pkey PRIMARY KEY (org_id, request_id);

ALTER TABLE ONLY public.session
    ADD CONSTRAINT session_pkey PRIMARY KEY (token_hash);

ALTER TABLE ONLY public.sign_in_attempt
    ADD CONSTRAINT sign_in_attempt_pkey PRIMARY KEY (token_hash);

ALTER TABLE ONLY public.sign_in_link
    ADD CONSTRAINT sign_in_link_pkey PRIMARY KEY (token_hash);

ALTER TABLE ONLY public.state
    ADD CONSTRAINT state_pkey PRIMARY KEY (state);

ALTER TABLE ONLY public.style
    ADD CONSTRAINT style_pkey PRIMARY KEY (name);

ALTER TABLE ONLY public.unit_area
    ADD CONSTRAINT unit_area_once UNIQUE NULLS NOT DISTINCT (state, lga, ward);

ALTER TABLE ONLY public.unit_area
    ADD CONSTRAINT unit_area_pkey PRIMARY KEY (unit_id);

ALTER TABLE ONLY public.unit_interval
    ADD CONSTRAINT unit_interval_pkey PRIMARY KEY (version, attribute, unit_id) INCLUDE (lower, upper);

ALTER TABLE ONLY public.unit
    ADD CONSTRAINT unit_pkey PRIMARY KEY (unit_id);

ALTER TABLE ONLY public.unit_total
    ADD CONSTRAINT unit_total_pkey PRIMARY KEY (version, attribute, unit_id);

ALTER TABLE ONLY public.unknown_word
    ADD CONSTRAINT unknown_word_pkey PRIMARY KEY (org_id, month, word);

ALTER TABLE ONLY public.value_array
    ADD CONSTRAINT value_array_pkey PRIMARY KEY (version, name, chunk);

ALTER TABLE ONLY public.value_row
    ADD CONSTRAINT value_row_pkey PRIMARY KEY (version, frame_id);

ALTER TABLE ONLY public.voided_call
    ADD CONSTRAINT voided_call_pkey PRIMARY KEY (org_id, request_id);

ALTER TABLE ONLY public.ward
    ADD CONSTRAINT ward_pkey PRIMARY KEY (state, lga, ward);

ALTER TABLE ONLY public.worded_hold
    ADD CONSTRAINT worded_hold_pkey PRIMARY KEY (request_id);

ALTER TABLE ONLY public.worded_use
    ADD CONSTRAINT worded_use_pkey PRIMARY KEY (org_id, day);

COMMENT ON INDEX public.account_pkey IS 'Accounts by organisation.';

CREATE INDEX api_key_created_by_idx ON public.api_key USING btree (created_by) WHERE (created_by IS NOT NULL);

COMMENT ON INDEX public.api_key_created_by_idx IS 'The keys that a person minted.';

CREATE INDEX api_key_org_id_idx ON public.api_key USING btree (org_id);

COMMENT ON INDEX public.api_key_org_id_idx IS 'The keys of an organisation.';

COMMENT ON INDEX public.api_key_pkey IS 'Keys by id.';

CREATE INDEX api_key_rolled_from_idx ON public.api_key USING btree (rolled_from) WHERE (rolled_from IS NOT NULL);

COMMENT ON INDEX public.api_key_rolled_from_idx IS 'The key that replaces a key.';

COMMENT ON INDEX public.api_key_secret_hash_key IS 'Keys by secret: every request reads it.';

COMMENT ON INDEX public.attribute_pkey IS 'Attributes of a dataset by name.';

COMMENT ON INDEX public.attribute_spread_pkey IS 'The spread of an attribute.';

COMMENT ON INDEX public.baseline_row_pkey IS 'The row of a frame; the rows of a dataset.';

COMMENT ON INDEX public.block_class_pkey IS 'The classes of an attribute, over blocks.';

COMMENT ON INDEX public.block_feature_pkey IS 'The features of blocks that lie in other blocks too.';

COMMENT ON INDEX public.class_pkey IS 'Classes of an attribute by value.';

CREATE INDEX credit_entry_key_id_idx ON public.credit_entry USING btree (key_id, entered_at) WHERE (key_id IS NOT NULL);

COMMENT ON INDEX public.credit_entry_key_id_idx IS 'The entries of a key, or of a person, in order.';

COMMENT ON INDEX public.credit_entry_once IS 'Each change once; an organisation''s entries.';

CREATE INDEX credit_entry_org_id_entered_at_idx ON public.credit_entry USING btree (org_id, entered_at);

COMMENT ON INDEX public.credit_entry_org_id_entered_at_idx IS 'An organisation''s entries of a period.';

COMMENT ON INDEX public.credit_entry_pkey IS 'Entries by number.';

COMMENT ON INDEX public.dataset_distance_to_once IS 'The distances to a dataset.';

CREATE INDEX dataset_org_id_idx ON public.dataset USING btree (org_id);

COMMENT ON INDEX public.dataset_org_id_idx IS 'Datasets of an owner.';

COMMENT ON INDEX public.dataset_pkey IS 'Datasets by id.';

COMMENT ON INDEX public.dataset_version_once IS 'The dataset that rows belong to: no two have one version.';

CREATE INDEX feature_frame_feature_idx ON public.feature_frame USING btree (version, feature_no, frame_id);

COMMENT ON INDEX public.feature_frame_feature_idx IS 'The frames of a feature, in order.';

COMMENT ON INDEX public.feature_frame_pkey IS 'The features of a frame, in order.';

CREATE INDEX feature_geom_idx ON public.feature USING gist (geom);

COMMENT ON INDEX public.feature_geom_idx IS 'Features in a place.';

CREATE INDEX feature_lines_idx ON public.feature USING gist (((public.st_multi(geom))::public.geometry(MultiLineString,4326))) WHERE (public.geometrytype(geom) = ANY (ARRAY['LINESTRING'::text, 'MULTILINESTRING'::text]));

COMMENT ON INDEX public.feature_lines_idx IS 'Lines in a box, as schema analyst shows them.';

COMMENT ON INDEX public.feature_pkey IS 'Features in order of their ids.';

CREATE INDEX feature_points_idx ON public.feature USING gist (((public.st_multi(geom))::public.geometry(MultiPoint,4326))) WHERE (public.geometrytype(geom) = ANY (ARRAY['POINT'::text, 'MULTIPOINT'::text]));

COMMENT ON INDEX public.feature_points_idx IS 'Points in a box, as schema analyst shows them.';

CREATE INDEX feature_polygons_idx ON public.feature USING gist (((public.st_multi(geom))::public.geometry(MultiPolygon,4326))) WHERE (public.geometrytype(geom) = ANY (ARRAY['POLYGON'::text, 'MULTIPOLYGON'::text]));

COMMENT ON INDEX public.feature_polygons_idx IS 'Polygons in a box, as schema analyst shows them.';

CREATE INDEX frame_geom_idx ON public.frame USING gist (geom);

COMMENT ON INDEX public.frame_geom_idx IS 'Frames at a point and in a box.';

COMMENT ON INDEX public.frame_interval_pkey IS 'The interval of an attribute on a frame: tiles read its bounds from the index alone.';

CREATE INDEX frame_multipolygon_idx ON public.frame USING gist (((public.st_multi(geom))::public.geometry(MultiPolygon,4326)));

COMMENT ON INDEX public.frame_multipolygon_idx IS 'Frames in a box, as schema analyst shows them.';

COMMENT ON INDEX public.frame_order_frame_id_key IS 'The number of a frame.';

COMMENT ON INDEX public.frame_order_pkey IS 'The frame of a number.';

CREATE INDEX frame_order_spot_idx ON public.frame_order USING gist (spot);

COMMENT ON INDEX public.frame_order_spot_idx IS 'The frames near a feature.';

COMMENT ON INDEX public.frame_pkey IS 'Frames by id.';

COMMENT ON INDEX public.frame_run_pkey IS 'Runs in id order.';

CREATE INDEX frame_state_frame_id_idx ON public.frame USING btree (state, frame_id);

COMMENT ON INDEX public.frame_state_frame_id_idx IS 'Pages of a state, in frame order.';

CREATE INDEX frame_state_lga_frame_id_idx ON public.frame USING btree (state, lga, frame_id);

COMMENT ON INDEX public.frame_state_lga_frame_id_idx IS 'Pages of a local government area, in frame order.';

CREATE INDEX frame_state_lga_ward_frame_id_idx ON public.frame USING btree (state, lga, ward, frame_id);

COMMENT ON INDEX public.frame_state_lga_ward_frame_id_idx IS 'Pages of a ward, in frame order.';

COMMENT ON INDEX public.frame_unit_pkey IS 'The units of a frame.';

COMMENT ON INDEX public.index_generation_pkey IS 'The one row.';

CREATE INDEX key_event_key_id_idx ON public.key_event USING btree (key_id, event_id) WHERE (key_id IS NOT NULL);

COMMENT ON INDEX public.key_event_key_id_idx IS 'The events of a key, in order.';

CREATE INDEX key_event_org_id_idx ON public.key_event USING btree (org_id, event_id);

COMMENT ON INDEX public.key_event_org_id_idx IS 'The events of an organisation, in order.';

COMMENT ON INDEX public.key_event_pkey IS 'Events by number.';

COMMENT ON INDEX public.key_seen_pkey IS 'Last calls by key.';

COMMENT ON INDEX public.key_use_pkey IS 'The use of a key by day.';

COMMENT ON INDEX public.layer_styles_pkey IS 'Styles by number.';

COMMENT ON INDEX public.lga_pkey IS 'Areas by state and name.';

COMMENT ON INDEX public.licence_once IS 'The licences of a dataset, one for each organisation.';

CREATE INDEX licence_org_id_idx ON public.licence USING btree (org_id);

COMMENT ON INDEX public.licence_org_id_idx IS 'The licences of an organisation.';

CREATE INDEX membership_org_id_idx ON public.membership USING btree (org_id);

COMMENT ON INDEX public.membership_org_id_idx IS 'The members of an organisation.';

COMMENT ON INDEX public.membership_pkey IS 'The organisations of a person.';

COMMENT ON INDEX public.migration_pkey IS 'Migrations by number.';

COMMENT ON INDEX public.organisation_name_key IS 'Organisations by name, each once.';

COMMENT ON INDEX public.organisation_pkey IS 'Organisations by id.';

CREATE INDEX paid_walk_paid_at_idx ON public.paid_walk USING btree (paid_at);

COMMENT ON INDEX public.paid_walk_paid_at_idx IS 'Rows of walks that the service may remove.';

COMMENT ON INDEX public.paid_walk_pkey IS 'The charge of a walk or a file.';

CREATE INDEX passkey_person_id_idx ON public.passkey USING btree (person_id);

COMMENT ON INDEX public.passkey_person_id_idx IS 'The passkeys of a person.';

COMMENT ON INDEX public.passkey_pkey IS 'Passkeys by credential.';

COMMENT ON INDEX public.person_of_provider IS 'People by their id at an OpenID provider.';

COMMENT ON INDEX public.person_pkey IS 'People by id.';

COMMENT ON INDEX public.property_pkey IS 'Properties of a dataset by name.';

CREATE INDEX repeated_call_began_at_idx ON public.repeated_call USING btree (began_at);

COMMENT ON INDEX public.repeated_call_began_at_idx IS 'Rows that the service may remove.';

CREATE INDEX repeated_call_key_idx ON public.repeated_call USING btree (org_id, idempotency_key);

COMMENT ON INDEX public.repeated_call_key_idx IS 'The calls of an Idempotency-Key.';

CREATE INDEX repeated_call_paid_as_idx ON public.repeated_call USING btree (org_id, paid_as);

COMMENT ON INDEX public.repeated_call_paid_as_idx IS 'The calls that are charged as one.';

COMMENT ON INDEX public.repeated_call_pkey IS 'The key under which a call came.';

CREATE INDEX session_ends_at_idx ON public.session USING btree (ends_at);

COMMENT ON INDEX public.session_ends_at_idx IS 'Sessions that may be removed.';

CREATE INDEX session_member_idx ON public.session USING btree (person_id, org_id);

COMMENT ON INDEX public.session_member_idx IS 'The sessions of a member.';

COMMENT ON INDEX public.session_pkey IS 'Sessions by token: every request of the app reads it.';

COMMENT ON INDEX public.sign_in_attempt_pkey IS 'Attempts by token.';

CREATE INDEX sign_in_attempt_valid_until_idx ON public.sign_in_attempt USING btree (valid_until);

COMMENT ON INDEX public.sign_in_attempt_valid_until_idx IS 'Attempts that may be removed.';

CREATE INDEX sign_in_link_org_id_idx ON public.sign_in_link USING btree (org_id);

COMMENT ON INDEX public.sign_in_link_org_id_idx IS 'The links of an organisation.';

CREATE INDEX sign_in_link_person_id_idx ON public.sign_in_link USING btree (person_id);

COMMENT ON INDEX public.sign_in_link_person_id_idx IS 'The links of a person.';

COMMENT ON INDEX public.sign_in_link_pkey IS 'Links by token.';

CREATE INDEX sign_in_link_valid_until_idx ON public.sign_in_link USING btree (valid_until);

COMMENT ON INDEX public.sign_in_link_valid_until_idx IS 'Links that may be removed.';

COMMENT ON INDEX public.state_pkey IS 'States by name.';

COMMENT ON INDEX public.style_pkey IS 'Styles by name.';

CREATE INDEX unit_area_geom_idx ON public.unit_area USING gist (geom);

COMMENT ON INDEX public.unit_area_geom_idx IS 'Units in a box.';

COMMENT ON INDEX public.unit_area_once IS 'The land of a unit.';

COMMENT ON INDEX public.unit_area_pkey IS 'Units by number.';

COMMENT ON INDEX public.unit_interval_pkey IS 'The interval of an attribute over a unit.';

CREATE UNIQUE INDEX unit_once ON public.unit USING btree (level, COALESCE(state, ''::text), COALESCE(lga, ''::text), COALESCE(ward, ''::text), COALESCE(block, ('-1'::integer)::bigint));

COMMENT ON INDEX public.unit_once IS 'A unit by its names or its block; the units of a level.';

COMMENT ON INDEX public.unit_pkey IS 'Units by number.';

COMMENT ON INDEX public.unit_total_pkey IS 'The totals of an attribute, over units.';

CREATE INDEX unknown_word_month_idx ON public.unknown_word USING btree (month);

COMMENT ON INDEX public.unknown_word_month_idx IS 'Rows that the service may remove.';

COMMENT ON INDEX public.unknown_word_pkey IS 'The words of an organisation by month.';

COMMENT ON INDEX public.value_array_pkey IS 'The arrays of an attribute.';

COMMENT ON INDEX public.value_row_pkey IS 'The values of a frame; the rows of a dataset.';

COMMENT ON INDEX public.voided_call_pkey IS 'The decision on a call.';

CREATE INDEX voided_call_voided_at_idx ON public.voided_call USING btree (voided_at);

COMMENT ON INDEX public.voided_call_voided_at_idx IS 'Rows that the service may remove.';

COMMENT ON INDEX public.ward_pkey IS 'Wards by state, area and name.';

CREATE INDEX worded_hold_expires_at_idx ON public.worded_hold USING btree (expires_at);

COMMENT ON INDEX public.worded_hold_expires_at_idx IS 'Holds that the service may remove.';

CREATE INDEX worded_hold_key_id_idx ON public.worded_hold USING btree (key_id, day) WHERE posted;

COMMENT ON INDEX public.worded_hold_key_id_idx IS 'The worded answers of a key.';

CREATE INDEX worded_hold_open_idx ON public.worded_hold USING btree (org_id) WHERE (NOT posted);

COMMENT ON INDEX public.worded_hold_open_idx IS 'Open holds of an organisation.';

COMMENT ON INDEX public.worded_hold_pkey IS 'The hold of a call.';

COMMENT ON INDEX public.worded_use_pkey IS 'The days of an organisation.';

CREATE TRIGGER account_balance_by_entries BEFORE UPDATE OF balance ON public.account FOR EACH ROW WHEN ((new.balance IS DISTINCT FROM old.balance)) EXECUTE FUNCTION public.refuse_all_but_owner();

COMMENT ON TRIGGER account_balance_by_entries ON public.account IS 'Refuses a change of a balance by anyone but the owner: trigger credit_entry_changes_balance changes it with the entries.';

CREATE TRIGGER api_key_events AFTER INSERT OR DELETE OR UPDATE OF org_id, name, capabilities, datasets, created_at, expires_at, revoked_at, secret_hash, daily_credits, monthly_credits, daily_words, monthly_words ON public.api_key FOR EACH ROW EXECUTE FUNCTION public.api_key_events();

COMMENT ON TRIGGER api_key_events ON public.api_key IS 'Enters the event of each change.';

CREATE TRIGGER api_key_minted_now BEFORE INSERT ON public.api_key FOR EACH ROW WHEN (((new.created_at < (clock_timestamp() - '00:01:00'::interval)) OR (new.created_at > clock_timestamp()))) EXECUTE FUNCTION public.refuse_all_but_owner();

COMMENT ON TRIGGER api_key_minted_now ON public.api_key IS 'Refuses another instant of minting than the present by anyone but the owner, so that no key outlives 365 days.';

CREATE TRIGGER api_key_revoked_for_good BEFORE UPDATE OF revoked_at ON public.api_key FOR EACH ROW WHEN (((new.revoked_at > old.revoked_at) OR ((new.revoked_at IS NULL) AND (old.revoked_at IS NOT NULL)))) EXECUTE FUNCTION public.refuse_all_but_owner();

COMMENT ON TRIGGER api_key_revoked_for_good ON public.api_key IS 'Refuses to undo or delay a revocation by anyone but the owner.';

CREATE TRIGGER api_key_stays_revoked BEFORE INSERT OR UPDATE OF revoked_at ON public.api_key FOR EACH ROW EXECUTE FUNCTION public.api_key_stays_revoked();

COMMENT ON TRIGGER api_key_stays_revoked ON public.api_key IS 'Revokes a key for good where its revocation is not ahead.';

CREATE TRIGGER credit_entry_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.credit_entry FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

COMMENT ON TRIGGER credit_entry_append_only ON public.credit_entry IS 'Refuses to change or remove an entry.';

CREATE TRIGGER credit_entry_changes_balance AFTER INSERT ON public.credit_entry REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION public.change_balance();

COMMENT ON TRIGGER credit_entry_changes_balance ON public.credit_entry IS 'Adds new entries to the balances, so that a balance is the sum of its entries.';

CREATE TRIGGER credit_entry_events AFTER INSERT ON public.credit_entry FOR EACH ROW WHEN ((new.kind = 'top_up'::text)) EXECUTE FUNCTION public.credit_entry_events();

COMMENT ON TRIGGER credit_entry_events ON public.credit_entry IS 'Enters the event of each top-up.';

CREATE TRIGGER credit_entry_top_up_by_owner BEFORE INSERT ON public.credit_entry FOR EACH ROW WHEN ((new.kind = 'top_up'::text)) EXECUTE FUNCTION public.refuse_all_but_owner();

COMMENT ON TRIGGER credit_entry_top_up_by_owner ON public.credit_entry IS 'Refuses a top-up by anyone but the owner: the service takes credits and gives them back.';

CREATE TRIGGER key_event_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.key_event FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

COMMENT ON TRIGGER key_event_append_only ON public.key_event IS 'Refuses to change or remove an event.';

CREATE TRIGGER membership_events AFTER INSERT OR DELETE OR UPDATE ON public.membership FOR EACH ROW EXECUTE FUNCTION public.membership_events();

COMMENT ON TRIGGER membership_events ON public.membership IS 'Enters the event of each change.';

CREATE CONSTRAINT TRIGGER membership_keeps_owner AFTER DELETE OR UPDATE ON public.membership DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((old.role = 'owner'::text)) EXECUTE FUNCTION public.membership_keeps_owner();

COMMENT ON TRIGGER membership_keeps_owner ON public.membership IS 'Refuses, at the end of a transaction, to leave an organisation without an owner.';

CREATE TRIGGER membership_withdraws_links AFTER DELETE OR UPDATE OF person_id, org_id, role ON public.membership FOR EACH ROW EXECUTE FUNCTION public.membership_withdraws_links();

COMMENT ON TRIGGER membership_withdraws_links ON public.membership IS 'Withdraws the links of a member who is no owner any more, and the links for a member who leaves or loses rights.';

CREATE TRIGGER organisation_events AFTER INSERT OR DELETE OR UPDATE ON public.organisation FOR EACH ROW EXECUTE FUNCTION public.organisation_events();

COMMENT ON TRIGGER organisation_events ON public.organisation IS 'Enters the event of each change.';

CREATE TRIGGER passkey_events AFTER INSERT OR DELETE ON public.passkey FOR EACH ROW EXECUTE FUNCTION public.passkey_events();

COMMENT ON TRIGGER passkey_events ON public.passkey IS 'Enters the event of each passkey that is added or removed.';

CREATE TRIGGER session_events AFTER INSERT OR DELETE OR UPDATE OF org_id ON public.session FOR EACH ROW EXECUTE FUNCTION public.session_events();

COMMENT ON TRIGGER session_events ON public.session IS 'Enters the event of each sign-in and of each session that somebody ends.';

CREATE TRIGGER sign_in_link_events AFTER INSERT OR DELETE ON public.sign_in_link FOR EACH ROW EXECUTE FUNCTION public.sign_in_link_events();

COMMENT ON TRIGGER sign_in_link_events ON public.sign_in_link IS 'Enters the event of each invitation and link.';

ALTER TABLE ONLY public.account
    ADD CONSTRAINT account_org_id_fkey FOREIGN KEY (org_id) REFERENCES public.organisation(org_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.api_key
    ADD CONSTRAINT api_key_created_by_fkey FOREIGN KEY (created_by) REFERENCES public.person(person_id) ON DELETE SET NULL;

ALTER TABLE ONLY public.api_key
    ADD CONSTRAINT api_key_org_id_fkey FOREIGN KEY (org_id) REFERENCES public.organisation(org_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.api_key
    ADD CONSTRAINT api_key_rolled_from_fkey FOREIGN KEY (rolled_from) REFERENCES public.api_key(key_id) ON DELETE SET NULL;

ALTER TABLE ONLY public.attribute
    ADD CONSTRAINT attribute_layer_id_fkey FOREIGN KEY (layer_id) REFERENCES public.dataset(layer_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.class
    ADD CONSTRAINT class_layer_id_fkey FOREIGN KEY (layer_id) REFERENCES public.dataset(layer_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.credit_entry
    ADD CONSTRAINT credit_entry_org_id_fkey FOREIGN KEY (org_id) REFERENCES public.organisation(org_id);

ALTER TABLE ONLY public.dataset
    ADD CONSTRAINT dataset_distance_to_fkey FOREIGN KEY (distance_to) REFERENCES public.dataset(layer_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.dataset
    ADD CONSTRAINT dataset_org_id_fkey FOREIGN KEY (org_id) REFERENCES public.organisation(org_id);

ALTER TABLE ONLY public.licence
    ADD CONSTRAINT licence_layer_id_fkey FOREIGN KEY (layer_id) REFERENCES public.dataset(layer_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.licence
    ADD CONSTRAINT licence_org_id_fkey FOREIGN KEY (org_id) REFERENCES public.organisation(org_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.membership
    ADD CONSTRAINT membership_org_id_fkey FOREIGN KEY (org_id) REFERENCES public.organisation(org_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.membership
    ADD CONSTRAINT membership_person_id_fkey FOREIGN KEY (person_id) REFERENCES public.person(person_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.paid_walk
    ADD CONSTRAINT paid_walk_org_id_fkey FOREIGN KEY (org_id) REFERENCES public.organisation(org_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.passkey
    ADD CONSTRAINT passkey_person_id_fkey FOREIGN KEY (person_id) REFERENCES public.person(person_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.property
    ADD CONSTRAINT property_layer_id_fkey FOREIGN KEY (layer_id) REFERENCES public.dataset(layer_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.repeated_call
    ADD CONSTRAINT repeated_call_org_id_fkey FOREIGN KEY (org_id) REFERENCES public.organisation(org_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.session
    ADD CONSTRAINT session_of_a_member FOREIGN KEY (person_id, org_id) REFERENCES public.membership(person_id, org_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.sign_in_link
    ADD CONSTRAINT sign_in_link_created_by_fkey FOREIGN KEY (created_by) REFERENCES public.person(person_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.sign_in_link
    ADD CONSTRAINT sign_in_link_org_id_fkey FOREIGN KEY (org_id) REFERENCES public.organisation(org_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.sign_in_link
    ADD CONSTRAINT sign_in_link_person_id_fkey FOREIGN KEY (person_id) REFERENCES public.person(person_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.unknown_word
    ADD CONSTRAINT unknown_word_org_id_fkey FOREIGN KEY (org_id) REFERENCES public.organisation(org_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.voided_call
    ADD CONSTRAINT voided_call_org_id_fkey FOREIGN KEY (org_id) REFERENCES public.organisation(org_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.worded_hold
    ADD CONSTRAINT worded_hold_org_id_fkey FOREIGN KEY (org_id) REFERENCES public.organisation(org_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.worded_use
    ADD CONSTRAINT worded_use_org_id_fkey FOREIGN KEY (org_id) REFERENCES public.organisation(org_id) ON DELETE CASCADE;
