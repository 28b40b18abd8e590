# SPDX-License-Identifier: LGPL-2.1-or-later
"""Trees of tools for tests."""

import os

from read_streams import read


def archive(home, binary, tree='published', prefix='welkin', stream='releases'):
    """A file under the name of an archive; returns what it holds."""
    directory = os.path.join(home.directory, tree, 'tools', stream)
    os.makedirs(directory, exist_ok=True)
    contents = f'the tools {binary}'.encode()
    with open(os.path.join(directory, f'{prefix}-{binary}.tgz'), 'wb') as file:
        file.write(contents)
    return contents


def publish(home, *binaries, stream=None):
    for binary in binaries:
        archive(home, binary, stream=stream or 'releases')
    options = ['--stream', stream] if stream else []
    return home.run('metadata', 'generate-tools', '-d', 'published', *options).check(0)


def items(home, tree, product='org.welkin:24.04:amd64'):
    return list(read(os.path.join(home.directory, tree, 'tools'), 'content-download', '', '',
                     product))


def stored(home, tree='target', stream='releases'):
    try:
        return sorted(os.listdir(os.path.join(home.directory, tree, 'tools', stream)))
    except FileNotFoundError:
        return []
