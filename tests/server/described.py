"""The OpenAPI document walked: every operation answers as it says, and nothing else is there."""
import json
import re

from measured import require
from served import BRIDGE, OTHER

METHODS = ('GET', 'POST', 'PUT', 'DELETE', 'PATCH')

# A request to each operation that succeeds: (path, query, body, its type), in an order in which all of them can.
EXAMPLES = {
    'checkAndAdd': ('/v1/check-and-add', '?replace=true', {'id': 'a b/c', 'text': BRIDGE, 'tag': 't', 'url': 'http://a/x',
                                              'date': '2026-11-01'}, ''),
    'check': ('/v1/check', '?limit=2', {'text': BRIDGE}, ''),
    'query': ('/v1/query', '?kept_only=true', {'id': 'q', 'html': '<p>' + BRIDGE}, ''),
    'getDocument': ('/v1/documents/a%20b%2Fc', '?text=true', None, ''),
    'explain': ('/v1/explain', '?a=a+b%2Fc&b=second', None, ''),
    'stats': ('/v1/stats', '', None, ''),
    'makeSnapshot': ('/v1/snapshots', '', {'name': 'one'}, ''),
    'health': ('/healthz', '', None, ''),
    'metrics': ('/metrics', '', None, ''),
    'openApi': ('/openapi.json', '', None, ''),
    'cdx': ('/cdx', '?url=http%3A%2F%2Fa%2Fx&output=json&closest=2026', None, ''),
    'page': ('/', '', None, ''),
    'askPage': ('/', '', 'text=' + BRIDGE.replace(' ', '+'), 'application/x-www-form-urlencoded'),
    'style': ('/style.css', '', None, ''),
    'removeTag': ('/v1/tags/t', '', None, ''),
    'removeDocument': ('/v1/documents/second', '', None, ''),
}


def fits(value, schema, document, where):
    """The parts of JSON Schema that the document uses."""
    if '$ref' in schema:
        name = schema['$ref'].rsplit('/', 1)[1]
        return fits(value, document['components']['schemas'][name], document, where)
    types = schema.get('type', [])
    names = {'object': dict, 'array': list, 'string': str, 'boolean': bool, 'null': type(None),
             'integer': int, 'number': (int, float)}
    wanted = [types] if isinstance(types, str) else types
    require(not wanted or any(isinstance(value, names[one]) for one in wanted), where, 'is no', types, value)
    if isinstance(value, dict):
        for name in schema.get('required', ()):
            require(name in value, where, 'has no', name, value)
        for name, of in schema.get('properties', {}).items():
            if name in value:
                fits(value[name], of, document, where + '.' + name)
    if isinstance(value, list) and 'items' in schema:
        for one in value:
            fits(one, schema['items'], document, where + '[]')


def answers_as_described(server, document, path, method, operation):
    name = operation['operationId']
    require(name in EXAMPLES, 'no example for', name)
    target, query, body, kind = EXAMPLES[name]
    require(re.fullmatch(re.sub(r'\{\w+\}', '.+', path), target), 'the example of', name, 'is for', target)
    answer = server.ask(method, target + query, body, **({'Content_Type': kind} if kind else {}))
    require(answer.status < 400, name, answer.status, answer.body)
    described = operation['responses'].get(str(answer.status))
    require(described, name, 'does not describe', answer.status)
    content = answer.headers['Content-Type']
    require(content in described['content'], name, 'does not describe', content)
    if content == 'application/json':
        fits(json.loads(answer.body), described['content'][content]['schema'], document, name)
    for parameter in operation.get('parameters', ()):
        require(parameter['in'] in ('path', 'query'), parameter)
    refused(server, document, operation, method, target)


def refused(server, document, operation, method, target):
    """A parameter that is not described, a body of another type, and a page of others."""
    name = operation['operationId']
    for status, asked, headers in ((400, target + '?%zz', {}), (403, target, {'Host': 'evil.example'})):
        answer = server.ask(method, asked, **headers)
        if status == 400 and 'requestBody' in operation:
            continue
        require(answer.status == status, name, asked, answer.status, answer.body)
        require(str(status) in operation['responses'], name, 'does not describe', status)
        fits(answer.json(), {'$ref': '#/components/schemas/Problem'}, document, name)
        require(answer.headers['Content-Type'] == 'application/problem+json', name, answer.headers['Content-Type'])
    if 'requestBody' in operation:
        answer = server.ask(method, target, 'x', Content_Type='image/png')
        require(answer.status == 415 and '415' in operation['responses'], name, answer.status)


def walk(server):
    document = server.ask('GET', '/openapi.json').json()
    require(document['openapi'].startswith('3.1'), document['openapi'])
    server.add('second', BRIDGE + ' as well')
    server.add('third', OTHER, tag='u')
    operations = {operation['operationId']: (path, method, operation)
                  for path, methods in document['paths'].items() for method, operation in methods.items()}
    require(set(operations) == set(EXAMPLES) & set(operations), 'operations without example')
    for name in EXAMPLES:  # in their order
        if name in operations:
            path, method, operation = operations[name]
            answers_as_described(server, document, path, method.upper(), operation)
    missing = set(operations) ^ set(EXAMPLES)
    require(not missing, 'not both described and tried:', sorted(missing))
    for path, methods in document['paths'].items():
        for method in METHODS:
            if method.lower() not in methods:
                answer = server.ask(method, re.sub(r'\{\w+\}', 'x', path), b'' if method != 'GET' else None)
                require(answer.status == 405, method, path, answer.status)
                allowed = set(answer.headers['Allow'].split(', ')) - {'HEAD'}
                require(allowed == {one.upper() for one in methods}, path, allowed)
