#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Reads simplestreams in a directory, and knows nothing but the format.

Usage: read_streams.py DIRECTORY DATATYPE REGION ENDPOINT PRODUCT

Prints each item of the product, the newest first, one line of JSON each.
"""

import email.utils
import json
import os
import sys

LEVELS = ('arch', 'release', 'version', 'region', 'endpoint')


def load(directory, path, form):
    """The JSON of a file, which must be of the form that it claims to have."""
    with open(os.path.join(directory, path), encoding='utf-8') as file:
        document = json.load(file)
    assert document['format'] == form, f'{path}: {document["format"]}'
    assert email.utils.parsedate_to_datetime(document['updated']).utcoffset() is not None
    return document


def choose(index, datatype, region, endpoint, product):
    """The first entry for the kind of data, the cloud and the product."""
    for content_id, entry in index['index'].items():
        clouds = entry.get('clouds')
        cloud = {'region': region, 'endpoint': endpoint}
        if (entry['datatype'] == datatype and entry['format'] == 'products:1.0'
                and (not clouds or cloud in clouds) and product in entry['products']):
            return content_id, entry
    raise LookupError(f'no {datatype} of {product} for {region} at {endpoint}')


def complete(item, aliases, *levels):
    """The item with what aliases and the levels above say."""
    whole = dict(item)
    for field, values in aliases.items():
        whole.update(values.get(item.get(field), {}))
    for level in levels:
        for field in LEVELS:
            if not whole.get(field) and level.get(field):
                whole[field] = level[field]
    return whole


def read(directory, datatype, region, endpoint, product, index='index'):
    """Each item of the product, completed, the newest version first."""
    index = load(directory, f'streams/v1/{index}.json', 'index:1.0')
    content_id, entry = choose(index, datatype, region, endpoint, product)
    products = load(directory, entry['path'], 'products:1.0')
    assert products['content_id'] == content_id
    assert sorted(entry['products']) == sorted(products['products'])
    record = products['products'][product]
    for build in sorted(record['versions'], reverse=True):
        version = record['versions'][build]
        for item in version['items'].values():
            yield complete(item, products.get('_aliases', {}), version, record)


if __name__ == '__main__':
    if len(sys.argv) != 6:
        sys.exit(__doc__)
    for found in read(*sys.argv[1:]):
        print(json.dumps(found, sort_keys=True))
