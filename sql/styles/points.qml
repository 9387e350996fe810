<qgis version="3.22.0" styleCategories="Symbology">
  <!-- Datasets of points: blue dots. -->
  <renderer-v2 type="singleSymbol" symbollevels="0" enableorderby="0" forceraster="0">
    <symbols>
      <symbol type="marker" name="0" alpha="1" clip_to_extent="1">
        <layer class="SimpleMarker" pass="0" enabled="1" locked="0">
          <prop k="color" v="0,114,178,255"/>
          <prop k="name" v="circle"/>
          <prop k="outline_color" v="255,255,255,255"/>
          <prop k="outline_width" v="0.2"/>
          <prop k="size" v="2"/>
        </layer>
      </symbol>
    </symbols>
  </renderer-v2>
</qgis>
