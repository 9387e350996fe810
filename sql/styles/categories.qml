<qgis version="3.22.0" styleCategories="Symbology">
  <!-- Baselines of categories: one symbol for each of twelve values, the commonest first. The program replaces attr and the categories. -->
  <renderer-v2 type="categorizedSymbol" attr="value" symbollevels="0" enableorderby="0" forceraster="0">
    <categories>
      <category render="true" symbol="0" value="0" label="0" type="string"/>
      <category render="true" symbol="1" value="1" label="1" type="string"/>
      <category render="true" symbol="2" value="2" label="2" type="string"/>
      <category render="true" symbol="3" value="3" label="3" type="string"/>
      <category render="true" symbol="4" value="4" label="4" type="string"/>
      <category render="true" symbol="5" value="5" label="5" type="string"/>
      <category render="true" symbol="6" value="6" label="6" type="string"/>
      <category render="true" symbol="7" value="7" label="7" type="string"/>
      <category render="true" symbol="8" value="8" label="8" type="string"/>
      <category render="true" symbol="9" value="9" label="9" type="string"/>
      <category render="true" symbol="10" value="10" label="10" type="string"/>
      <category render="true" symbol="11" value="11" label="11" type="string"/>
    </categories>
    <symbols>
      <symbol type="fill" name="0" alpha="1" clip_to_extent="1">
        <layer class="SimpleFill" pass="0" enabled="1" locked="0">
          <prop k="color" v="0,114,178,255"/>
          <prop k="outline_color" v="255,255,255,60"/>
          <prop k="outline_style" v="solid"/>
          <prop k="outline_width" v="0.1"/>
          <prop k="style" v="solid"/>
        </layer>
      </symbol>
      <symbol type="fill" name="1" alpha="1" clip_to_extent="1">
        <layer class="SimpleFill" pass="0" enabled="1" locked="0">
          <prop k="color" v="230,159,0,255"/>
          <prop k="outline_color" v="255,255,255,60"/>
          <prop k="outline_style" v="solid"/>
          <prop k="outline_width" v="0.1"/>
          <prop k="style" v="solid"/>
        </layer>
      </symbol>
      <symbol type="fill" name="2" alpha="1" clip_to_extent="1">
        <layer class="SimpleFill" pass="0" enabled="1" locked="0">
          <prop k="color" v="0,158,115,255"/>
          <prop k="outline_color" v="255,255,255,60"/>
          <prop k="outline_style" v="solid"/>
          <prop k="outline_width" v="0.1"/>
          <prop k="style" v="solid"/>
        </layer>
      </symbol>
      <symbol type="fill" name="3" alpha="1" clip_to_extent="1">
        <layer class="SimpleFill" pass="0" enabled="1" locked="0">
          <prop k="color" v="204,121,167,255"/>
          <prop k="outline_color" v="255,255,255,60"/>
          <prop k="outline_style" v="solid"/>
          <prop k="outline_width" v="0.1"/>
          <prop k="style" v="solid"/>
        </layer>
      </symbol>
      <symbol type="fill" name="4" alpha="1" clip_to_extent="1">
        <layer class="SimpleFill" pass="0" enabled="1" locked="0">
          <prop k="color" v="86,180,233,255"/>
          <prop k="outline_color" v="255,255,255,60"/>
          <prop k="outline_style" v="solid"/>
          <prop k="outline_width" v="0.1"/>
          <prop k="style" v="solid"/>
        </layer>
      </symbol>
      <symbol type="fill" name="5" alpha="1" clip_to_extent="1">
        <layer class="SimpleFill" pass="0" enabled="1" locked="0">
          <prop k="color" v="213,94,0,255"/>
          <prop k="outline_color" v="255,255,255,60"/>
          <prop k="outline_style" v="solid"/>
          <prop k="outline_width" v="0.1"/>
          <prop k="style" v="solid"/>
        </layer>
      </symbol>
      <symbol type="fill" name="6" alpha="1" clip_to_extent="1">
        <layer class="SimpleFill" pass="0" enabled="1" locked="0">
          <prop k="color" v="240,228,66,255"/>
          <prop k="outline_color" v="255,255,255,60"/>
          <prop k="outline_style" v="solid"/>
          <prop k="outline_width" v="0.1"/>
          <prop k="style" v="solid"/>
        </layer>
      </symbol>
      <symbol type="fill" name="7" alpha="1" clip_to_extent="1">
        <layer class="SimpleFill" pass="0" enabled="1" locked="0">
          <prop k="color" v="120,120,120,255"/>
          <prop k="outline_color" v="255,255,255,60"/>
          <prop k="outline_style" v="solid"/>
          <prop k="outline_width" v="0.1"/>
          <prop k="style" v="solid"/>
        </layer>
      </symbol>
      <symbol type="fill" name="8" alpha="1" clip_to_extent="1">
        <layer class="SimpleFill" pass="0" enabled="1" locked="0">
          <prop k="color" v="130,90,44,255"/>
          <prop k="outline_color" v="255,255,255,60"/>
          <prop k="outline_style" v="solid"/>
          <prop k="outline_width" v="0.1"/>
          <prop k="style" v="solid"/>
        </layer>
      </symbol>
      <symbol type="fill" name="9" alpha="1" clip_to_extent="1">
        <layer class="SimpleFill" pass="0" enabled="1" locked="0">
          <prop k="color" v="60,60,130,255"/>
          <prop k="outline_color" v="255,255,255,60"/>
          <prop k="outline_style" v="solid"/>
          <prop k="outline_width" v="0.1"/>
          <prop k="style" v="solid"/>
        </layer>
      </symbol>
      <symbol type="fill" name="10" alpha="1" clip_to_extent="1">
        <layer class="SimpleFill" pass="0" enabled="1" locked="0">
          <prop k="color" v="160,200,120,255"/>
          <prop k="outline_color" v="255,255,255,60"/>
          <prop k="outline_style" v="solid"/>
          <prop k="outline_width" v="0.1"/>
          <prop k="style" v="solid"/>
        </layer>
      </symbol>
      <symbol type="fill" name="11" alpha="1" clip_to_extent="1">
        <layer class="SimpleFill" pass="0" enabled="1" locked="0">
          <prop k="color" v="200,200,220,255"/>
          <prop k="outline_color" v="255,255,255,60"/>
          <prop k="outline_style" v="solid"/>
          <prop k="outline_width" v="0.1"/>
          <prop k="style" v="solid"/>
        </layer>
      </symbol>
    </symbols>
  </renderer-v2>
</qgis>
