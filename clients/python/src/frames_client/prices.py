"""Adds up the prices of several calls against one balance: each call is priced as if it came alone."""

from __future__ import annotations

from typing import Any, Dict, List

Json = Dict[str, Any]


def quote_after(given: Json, spent: int) -> Json:
    """The price of a call once `spent` credits are gone: in the order of ids, each dataset that is still covered."""
    balance = given["price"].get("balance")
    if balance is None:
        return given
    datasets: List[Json] = []
    left_out: List[Json] = []
    credits = 0
    for each in sorted([*given["price"]["datasets"], *given["leftOut"]], key=lambda each: str(each["layerId"])):
        if spent + credits + each["price"] <= balance:
            credits += each["price"]
            datasets.append(each)
        else:
            left_out.append({**each, "reason": "insufficient_credits"})
    price = {"credits": credits, "datasets": datasets, "balance": balance}
    return {**given, "charged": [each["layerId"] for each in datasets], "leftOut": left_out, "price": price}
