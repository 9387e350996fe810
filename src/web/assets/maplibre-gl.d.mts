// Pages load MapLibre from the address beside their own scripts: see src/web/assets.ts.
export * from 'maplibre-gl'
