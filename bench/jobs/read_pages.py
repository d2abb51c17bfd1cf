"""Extracts the main content of all pages of a WARC file and does nothing with it: read_pages.py FILE"""
import sys

from fastwarc.warc import ArchiveIterator, WarcRecordType
from resiliparse.extract.html2text import extract_plain_text
from resiliparse.parse.encoding import bytes_to_str, detect_encoding
from resiliparse.parse.html import HTMLTree

characters = pages = 0
with open(sys.argv[1], 'rb') as stream:
    for record in ArchiveIterator(stream, record_types=WarcRecordType.response):
        body = record.reader.read()
        characters += len(extract_plain_text(HTMLTree.parse(bytes_to_str(body, detect_encoding(body))), main_content=True))
        pages += 1
print(pages, characters)
