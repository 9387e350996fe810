-- Up Migration

-- The classes of categories and the properties of features: questions name them, also where no frame asked has them.

create table property (
  layer_id text constraint property_layer_id_fkey references dataset on delete cascade,
  name text constraint property_name_not_blank check (btrim(name) <> ''),
  type text not null constraint property_type_known check (type in ('number', 'category')),
  items bigint not null,
  constraint property_pkey primary key (layer_id, name)
);
comment on table property is 'The properties of features, as their import found them: function classes_keep makes these rows.';
comment on column property.layer_id is 'The dataset.';
comment on column property.name is 'Its name among the properties.';
comment on column property.type is 'number where every value is a plain decimal, else category.';
comment on column property.items is 'Features that record it.';
comment on constraint property_name_not_blank on property is 'A name is not blank.';
comment on constraint property_type_known on property is 'A type is number or category.';
comment on index property_pkey is 'Properties of a dataset by name.';

create table class (
  layer_id text constraint class_layer_id_fkey references dataset on delete cascade,
  name text,
  value text constraint class_value_not_blank check (btrim(value) <> ''),
  items bigint not null,
  constraint class_pkey primary key (layer_id, name, value)
);
comment on table class is 'The distinct values of categories, as an import found them: function classes_keep makes these rows.';
comment on column class.layer_id is 'The dataset.';
comment on column class.name is 'The attribute of a baseline, or the property of features.';
comment on column class.value is 'The value, without blanks around it.';
comment on column class.items is 'Frames or features that have it.';
comment on constraint class_value_not_blank on class is 'A value is not blank.';
comment on index class_pkey is 'Classes of an attribute by value.';
