"""A small internet behind one server: every address of 127.16.0.0/12 is local, and what answers at
each of the 1,048,576 is a function of the address. So the true numbers are known by enumeration.

Bound to 0.0.0.0 for want of a way to bind to a network; who asks at any other address than those
gets no answer."""
import asyncio
import collections
import ipaddress
import threading

BASE = int(ipaddress.ip_address('127.16.0.0'))
ADDRESSES = 1 << 20
NETWORK = '127.16.0.0/12'
MOST_PAGES = 300
BLOCK = 16  # addresses of one block; some blocks are the farm of one site

MASK = (1 << 64) - 1


def mix(x):
    """SplitMix64's finaliser."""
    x = (x + 0x9e3779b97f4a7c15) & MASK
    x = ((x ^ (x >> 30)) * 0xbf58476d1ce4e5b9) & MASK
    x = ((x ^ (x >> 27)) * 0x94d049bb133111eb) & MASK
    return x ^ (x >> 31)


def power_law(bits):
    """Pages of a site by 32 random bits: P(X >= x) about x^-1.3, cut off."""
    u = (bits + 1) / 2**32
    return min(int(u ** (-1 / 1.3)), MOST_PAGES)


# What stands at an address: kind, and for servers [(name or None, site number, pages)].
Place = collections.namedtuple('Place', 'kind sites')


def place(offset):
    """The place at address BASE + offset."""
    block = mix(offset // BLOCK + (1 << 40))
    if block % 16 == 0:
        addresses = 2 + (block >> 8) % 7
        if offset % BLOCK < addresses:
            number = offset // BLOCK
            return Place('server', [('farm-%d.example' % number, number, power_law(block >> 32))])
    bits = mix(offset)
    kind = bits % 1000
    if kind < 880:
        return Place('no-answer', [])
    if kind < 905:
        return Place('login', [])
    if kind < 920:
        return Place('excluded', [])
    if kind < 925:
        return Place('no-page', [])
    if kind < 930:
        return Place('elsewhere', [])
    sites = [(None, 1000000 + offset, power_law(bits >> 32))]
    if (bits >> 16) % 16 == 0:  # several names
        for i in range(1 + (bits >> 20) % 4):
            more = mix(bits + i + 1)
            sites.append(('v%d-%d.example' % (i, offset), 10000000 + offset * 8 + i,
                          power_law(more >> 32)))
    return Place('server', sites)


def survey():
    """The true numbers by enumeration, and the names of all addresses as /etc/hosts has them.
    pages_unweighted: as if each address had sites of its own; pages_first_site: as if each had only
    its first."""
    servers = sites = pages = unweighted = first = 0
    farms = set()
    lines = []
    for offset in range(ADDRESSES):
        here = place(offset)
        if here.kind != 'server':
            continue
        servers += 1
        first += here.sites[0][2]
        names = [site[0] for site in here.sites if site[0]]
        if names:
            lines.append('%s %s\n' % (ipaddress.ip_address(BASE + offset), ' '.join(names)))
        for _, number, count in here.sites:
            unweighted += count
            if number < 1000000:  # of a farm: one site at several addresses
                if number in farms:
                    continue
                farms.add(number)
            sites += 1
            pages += count
    numbers = {'servers': servers, 'sites': sites, 'pages': pages, 'pages_unweighted': unweighted,
               'pages_first_site': first}
    return numbers, ''.join(lines)


def page(site, number, pages, links):
    """A page of a site: a binary tree of links, and those given."""
    for child in (2 * number + 1, 2 * number + 2):
        if child < pages:
            links = links + ['/p%d' % child]
    anchors = ''.join('<p><a href="%s">more</a></p>' % link for link in links)
    return '<html><body><h1>Site %d page %d</h1>%s</body></html>' % (site, number, anchors)


class Internet:
    """The server, in a thread of its own. `port` is chosen by the system."""

    def __init__(self):
        self.requests = 0
        self.port = None
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()
        self._ready.wait()

    def _run(self):
        async def main():
            server = await asyncio.start_server(self._serve, '0.0.0.0', 0, backlog=512)
            self.port = server.sockets[0].getsockname()[1]
            self._ready.set()
            await server.serve_forever()
        asyncio.run(main())

    async def _serve(self, reader, writer):
        try:
            local = int(ipaddress.ip_address(writer.get_extra_info('sockname')[0]))
            while True:
                head = await reader.readuntil(b'\r\n\r\n')
                self.requests += 1
                answer = self._answer(local - BASE, head.decode('latin-1'))
                if answer is None:
                    break
                status, body, more = answer
                body = body.encode()
                writer.write(('HTTP/1.1 %s\r\nContent-Type: text/html\r\nContent-Length: %d\r\n%s\r\n'
                              % (status, len(body), more)).encode() + body)
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    def _answer(self, offset, head):
        if not 0 <= offset < ADDRESSES:
            return None
        here = place(offset)
        if here.kind == 'no-answer':
            return None
        path = head.split(' ', 2)[1]
        if path == '/robots.txt':
            if here.kind == 'excluded':
                return '200 OK', 'User-agent: *\nDisallow: /\n', ''
            return '404 Not Found', '', ''
        if here.kind == 'login':
            return '401 Unauthorized', '', 'WWW-Authenticate: Basic realm="x"\r\n'
        if here.kind == 'no-page':
            return '404 Not Found', 'nothing', ''
        if here.kind == 'elsewhere':
            return '302 Found', '', 'Location: http://192.0.2.1:%d/\r\n' % self.port
        return self._page(here, path, head)

    def _page(self, here, path, head):
        host = next((line.split(':')[1].strip() for line in head.split('\r\n')
                     if line.lower().startswith('host:')), '')
        name, site, pages = next((s for s in here.sites if s[0] == host), here.sites[0])
        number = 0 if path == '/' else int(path[2:]) if path[2:].isdigit() else pages
        if number >= pages:
            return '404 Not Found', 'nothing', ''
        links = []
        if number == 0 and site == here.sites[0][1]:
            links = ['http://%s:%d/' % (s[0], self.port) for s in here.sites if s[0]]
        return '200 OK', page(site, number, pages, links), ''
