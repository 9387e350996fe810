<qgis version="3.22.0" styleCategories="Symbology">
  <!-- Baselines of numbers: one symbol for each of five classes, the lowest first. The program replaces attr and the ranges. -->
  <renderer-v2 type="graduatedSymbol" attr="value" graduatedMethod="GraduatedColor" symbollevels="0" enableorderby="0" forceraster="0">
    <ranges>
      <range render="true" symbol="0" lower="0" upper="1" label="0 - 1"/>
      <range render="true" symbol="1" lower="1" upper="2" label="1 - 2"/>
      <range render="true" symbol="2" lower="2" upper="3" label="2 - 3"/>
      <range render="true" symbol="3" lower="3" upper="4" label="3 - 4"/>
      <range render="true" symbol="4" lower="4" upper="5" label="4 - 5"/>
    </ranges>
    <symbols>
      <symbol type="fill" name="0" alpha="1" clip_to_extent="1">
        <layer class="SimpleFill" pass="0" enabled="1" locked="0">
          <prop k="color" v="254,240,217,255"/>
          <prop k="outline_color" v="255,255,255,60"/>
          <prop k="outline_style" v="solid"/>
          <prop k="outline_width" v="0.1"/>
          <prop k="style" v="solid"/>
        </layer>
      </symbol>
      <symbol type="fill" name="1" alpha="1" clip_to_extent="1">
        <layer class="SimpleFill" pass="0" enabled="1" locked="0">
          <prop k="color" v="253,204,138,255"/>
          <prop k="outline_color" v="255,255,255,60"/>
          <prop k="outline_style" v="solid"/>
          <prop k="outline_width" v="0.1"/>
          <prop k="style" v="solid"/>
        </layer>
      </symbol>
      <symbol type="fill" name="2" alpha="1" clip_to_extent="1">
        <layer class="SimpleFill" pass="0" enabled="1" locked="0">
          <prop k="color" v="252,141,89,255"/>
          <prop k="outline_color" v="255,255,255,60"/>
          <prop k="outline_style" v="solid"/>
          <prop k="outline_width" v="0.1"/>
          <prop k="style" v="solid"/>
        </layer>
      </symbol>
      <symbol type="fill" name="3" alpha="1" clip_to_extent="1">
        <layer class="SimpleFill" pass="0" enabled="1" locked="0">
          <prop k="color" v="227,74,51,255"/>
          <prop k="outline_color" v="255,255,255,60"/>
          <prop k="outline_style" v="solid"/>
          <prop k="outline_width" v="0.1"/>
          <prop k="style" v="solid"/>
        </layer>
      </symbol>
      <symbol type="fill" name="4" alpha="1" clip_to_extent="1">
        <layer class="SimpleFill" pass="0" enabled="1" locked="0">
          <prop k="color" v="179,0,0,255"/>
          <prop k="outline_color" v="255,255,255,60"/>
          <prop k="outline_style" v="solid"/>
          <prop k="outline_width" v="0.1"/>
          <prop k="style" v="solid"/>
        </layer>
      </symbol>
    </symbols>
  </renderer-v2>
</qgis>
