// Pages load MapLibre from the address beside their own scripts: see src/app/shell/assets.ts.
export * from 'maplibre-gl'
