<qgis version="3.22.0" styleCategories="Symbology">
  <!-- Datasets of lines: orange lines. -->
  <renderer-v2 type="singleSymbol" symbollevels="0" enableorderby="0" forceraster="0">
    <symbols>
      <symbol type="line" name="0" alpha="1" clip_to_extent="1">
        <layer class="SimpleLine" pass="0" enabled="1" locked="0">
          <prop k="line_color" v="213,94,0,255"/>
          <prop k="line_style" v="solid"/>
          <prop k="line_width" v="0.5"/>
        </layer>
      </symbol>
    </symbols>
  </renderer-v2>
</qgis>
