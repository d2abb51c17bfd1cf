"""What the site takes, and what it does otherwise than mkdocs does by itself."""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / 'tools'))
import source_tree  # noqa: E402

LINK = re.compile(r'(?<!!)\[([^\]\n]+)\]\(([^)#\s]+)(?:#[^)\s]*)?\)')
FENCE = re.compile(r'(^(?:```|~~~).*?^(?:```|~~~)$)', re.M | re.S)


def on_files(files, config):
    """All documents and their pictures, at their paths in the repository, so that their links hold."""
    from mkdocs.structure.files import File
    documents = sorted(source_tree.walk(ROOT, {'.md', '.svg'}), key=lambda path: path.name != 'README.md')
    for path in documents:
        inside = path.relative_to(ROOT)
        if inside.parts[0] != 'tests':
            file = File.generated(config, inside.as_posix(), abs_src_path=str(path))
            if path.name == 'index.md':
                file.name = 'the-index'  # README.md is the index of a folder
            files.append(file)
    return files


def on_nav(nav, **_):
    """What stands in docs/ stands at the top; a folder has the title of its README."""
    docs, = [item for item in nav.items if item.is_section and item.title == 'Docs']
    nav.items[1:] = [*docs.children, *(item for item in nav.items[1:] if item is not docs)]
    for child in docs.children:
        child.parent = None
    for item in nav.items:
        if item.is_section and item.children[0].is_page and item.children[0].is_index:
            item.title = item.children[0].file.content_string.split('\n', 1)[0].lstrip('# ')


def without_links_to_sources(markdown, source, pages):
    """The text of a page, in which links to files of the repository that are no pages are their words alone."""
    def words_or_link(link):
        target = (ROOT / source).parent / link[2]
        is_source = target.exists() and target.resolve().relative_to(ROOT).as_posix() not in pages
        return link[1] if is_source else link[0]
    parts = FENCE.split(markdown)
    parts[::2] = [LINK.sub(words_or_link, prose) for prose in parts[::2]]
    return ''.join(parts)


def on_page_markdown(markdown, page, files, **_):
    return without_links_to_sources(markdown, page.file.src_uri, files.src_uris)
