-- postgis: adds PostGIS where the database lacks it: functions name its types.
create extension if not exists postgis
