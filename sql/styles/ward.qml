<qgis version="3.22.0" styleCategories="Symbology">
  <!-- Wards: grey outlines. -->
  <renderer-v2 type="singleSymbol" symbollevels="0" enableorderby="0" forceraster="0">
    <symbols>
      <symbol type="fill" name="0" alpha="1" clip_to_extent="1">
        <layer class="SimpleFill" pass="0" enabled="1" locked="0">
          <prop k="color" v="255,255,255,0"/>
          <prop k="outline_color" v="110,110,110,255"/>
          <prop k="outline_style" v="solid"/>
          <prop k="outline_width" v="0.2"/>
          <prop k="style" v="no"/>
        </layer>
      </symbol>
    </symbols>
  </renderer-v2>
</qgis>
