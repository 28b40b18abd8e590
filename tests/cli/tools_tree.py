# SPDX-License-Identifier: LGPL-2.1-or-later
"""Trees of tools for tests."""

import gzip
import io
import os
import tarfile
import tempfile

from read_streams import read


def write_archive(output, text, size=0):
    """Writes an archive of an agent that is this text, and zeros up to a size."""
    with gzip.GzipFile(fileobj=output, mode='wb', compresslevel=0, mtime=0) as packed, \
            tarfile.open(fileobj=packed, mode='w') as tar, tempfile.TemporaryFile() as agent:
        agent.write(text.encode())
        agent.truncate(max(size, agent.tell()))
        member = tarfile.TarInfo('welkin-agent')
        member.size = agent.seek(0, os.SEEK_END)
        member.mode = 0o755
        agent.seek(0)
        tar.addfile(member, agent)


def pack(text):
    packed = io.BytesIO()
    write_archive(packed, text)
    return packed.getvalue()


def place(home, binary, contents, tree='published', prefix='welkin', stream='releases'):
    """A file under the name of an archive; returns its path."""
    directory = os.path.join(home.directory, tree, 'tools', stream)
    os.makedirs(directory, exist_ok=True)
    path = os.path.join(directory, f'{prefix}-{binary}.tgz')
    with open(path, 'wb') as file:
        file.write(contents)
    return path


def archive(home, binary, tree='published', **options):
    """An archive; returns what it holds."""
    contents = pack(f'the tools {binary}')
    place(home, binary, contents, tree, **options)
    return contents


def large_archive(home, binary, size):
    """An archive that is never in memory: what runs later is told to have been as large as us."""
    with open(place(home, binary, b''), 'wb') as file:
        write_archive(file, f'the tools {binary}', size)


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
