"""A script for QGIS Processing: adds columns of the Spatial Frame Index API to the features of a layer.

Processing Toolbox > Scripts > Add Script to Toolbox. It sends the middle of each feature to POST /tools/enrich, up to
100,000 in a call, and says what that costs before it spends anything.
"""

import csv
import gzip
import io
import json
import urllib.error
import urllib.parse
import urllib.request
import uuid

from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsCoordinateTransform,
    QgsFeature,
    QgsFeatureSink,
    QgsField,
    QgsFields,
    QgsProcessing,
    QgsProcessingAlgorithm,
    QgsProcessingException,
    QgsProcessingParameterFeatureSink,
    QgsProcessingParameterFeatureSource,
    QgsProcessingParameterNumber,
    QgsProcessingParameterString,
    QgsProcessingUtils,
)
from qgis.PyQt.QtCore import QVariant

ROWS_OF_CALL = 100_000


class AddFrameColumns(QgsProcessingAlgorithm):
    def name(self):
        return "addframecolumns"

    def displayName(self):
        return "Add columns of the frame index"

    def shortHelpString(self):
        return __doc__ + (
            "\nColumns, with commas between them: frame, state, lga, ward, a dataset such as lyr_population, one of "
            "its attributes (lyr_population.pop_demest26), or its total over the unit around "
            "(ward:lyr_population.pop_demest26)."
        )

    def createInstance(self):
        return AddFrameColumns()

    def initAlgorithm(self, config=None):
        vector = [QgsProcessing.TypeVectorAnyGeometry]
        self.addParameter(QgsProcessingParameterFeatureSource("LAYER", "Layer", vector))
        self.addParameter(
            QgsProcessingParameterString("SERVICE", "Address of the service", "http://127.0.0.1:3000")
        )
        self.addParameter(QgsProcessingParameterString("KEY", "Key (svc_sk_...)"))
        self.addParameter(QgsProcessingParameterString("COLUMNS", "Columns", "frame,state,lga,ward"))
        self.addParameter(
            QgsProcessingParameterNumber("CREDITS", "Spend at most (credits)", defaultValue=0, minValue=0)
        )
        self.addParameter(QgsProcessingParameterFeatureSink("OUTPUT", "With columns"))

    def processAlgorithm(self, parameters, context, feedback):
        source = self.parameterAsSource(parameters, "LAYER", context)
        if source is None:
            raise QgsProcessingException(self.invalidSourceError(parameters, "LAYER"))
        address, key, columns = (
            self.parameterAsString(parameters, name, context).strip() for name in ("SERVICE", "KEY", "COLUMNS")
        )
        ask = caller(address, key, columns)
        degrees = QgsCoordinateReferenceSystem("EPSG:4326")
        to_degrees = QgsCoordinateTransform(source.sourceCrs(), degrees, context.transformContext())
        features = list(source.getFeatures())
        tables = [
            table_of(features[start : start + ROWS_OF_CALL], to_degrees)
            for start in range(0, len(features), ROWS_OF_CALL)
        ]
        credits = sum(json.loads(ask(table, price="true"))["data"]["price"]["credits"] for table in tables)
        feedback.pushInfo(f"{len(features)} features cost {credits} credits.")
        most = self.parameterAsInt(parameters, "CREDITS", context)
        if credits > most:
            raise QgsProcessingException(f"This costs {credits} credits, and at most {most} may be spent.")

        rows, names = [], []
        for table in tables:
            if feedback.isCanceled():
                return {}
            names, *answered = csv.reader(io.StringIO(ask(table)))
            rows += [row[2:] for row in answered]
        names = names[2:]
        numeric = [all(is_number(row[i]) for row in rows) and name != "frame" for i, name in enumerate(names)]
        added = QgsFields()
        for name, is_float in zip(names, numeric):
            added.append(QgsField(name, QVariant.Double if is_float else QVariant.String))
        fields = QgsProcessingUtils.combineFields(source.fields(), added)
        sink, output = self.parameterAsSink(
            parameters, "OUTPUT", context, fields, source.wkbType(), source.sourceCrs()
        )
        for feature, row in zip(features, rows):
            found = QgsFeature(fields)
            found.setGeometry(feature.geometry())
            found.setAttributes(feature.attributes() + [typed(*each) for each in zip(row, numeric)])
            sink.addFeature(found, QgsFeatureSink.FastInsert)
        return {"OUTPUT": output}


def table_of(features, to_degrees):
    """The middles of features as CSV. A feature without a geometry keeps its row."""
    lines = ["lat,lon"]
    for feature in features:
        middle = feature.geometry().pointOnSurface()
        if middle.isNull():
            lines.append(",")
            continue
        point = to_degrees.transform(middle.asPoint())
        lines.append(f"{point.y():.7f},{point.x():.7f}")
    return gzip.compress("\n".join(lines).encode())


def caller(address, key, columns):
    """Sends tables. A table that is sent again is charged once."""

    def ask(table, **more):
        query = urllib.parse.urlencode({"columns": columns, "lat": "lat", "lon": "lon", **more})
        headers = {"Authorization": f"Bearer {key}", "Content-Type": "text/csv", "Content-Encoding": "gzip"}
        headers["Idempotency-Key"] = str(uuid.uuid5(uuid.NAMESPACE_URL, f"{key} {query} {table.hex()}"))
        request = urllib.request.Request(f"{address}/tools/enrich?{query}", table, headers)
        try:
            return urllib.request.urlopen(request, timeout=180).read().decode()
        except urllib.error.HTTPError as error:
            raise QgsProcessingException(json.loads(error.read())["error"]["message"]) from error

    return ask


def is_number(text):
    try:
        return text == "" or float(text) is not None
    except ValueError:
        return False


def typed(text, is_float):
    return None if text == "" else float(text) if is_float else text
