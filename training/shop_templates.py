"""Templates of products of shops."""
from page_parts import others, paragraphs, price, reviews, specification, table_page
from page_words import Gold


def woocommerce(f, t):
    title = t.title(2, 5)
    return f.page(title, f.div('product type-product', f.div(
        'summary entry-summary', '<h1 class="product_title">', Gold(title), '</h1><p class="price">', Gold(price(t)), '</p>',
        '<div class="short-description"><p>', Gold(t.sentence()), '</p></div>', '<form><button>Add to cart</button></form>',
        f.div('product_meta', 'SKU: %d Category: <a>%s</a>' % (t.rng.randrange(9999), t.title(1, 1)))), f.div(
            'woocommerce-tabs', '<ul><li>Description</li><li>Reviews</li></ul>', f.div(
                'tab-panel', paragraphs(t, 1, 4), '<table class="shop_attributes">', specification(t), '</table>'),
            reviews(f, t)), others(f, t)))


def storefront(f, t):
    title = t.title(2, 5)
    return f.page(title, '<section class="%s">' % f.site.name_of('product-main'), '<h1>', Gold(title), '</h1><div><span>',
                  Gold(price(t)), '</span><span>Tax included. Shipping calculated at checkout.</span></div>',
                  '<label>Quantity</label><button>Sold out</button>', f.div('product__description rte', paragraphs(t, 1, 5)),
                  '</section>', f.share(), reviews(f, t), others(f, t))


def catalogue(f, t):
    title = t.title(2, 6)
    rows = [['<dt>', Gold(t.title(1, 2)), '</dt><dd>', Gold(t.title(1, 4)), '</dd>'] for _ in range(t.rng.randint(2, 9))]
    return f.page(title, f.div('product-info-main', '<h1><span>', Gold(title), '</span></h1><div class="price-box">',
                               Gold(price(t)), '</div><div class="stock">In stock</div><button>Add to basket</button>'),
                  f.div('product data items', '<h2>Details</h2>', paragraphs(t, 1, 3), '<h2>More Information</h2><dl>', rows,
                        '</dl>'), others(f, t), reviews(f, t))


def prestashop(f, t):
    title = t.title(2, 5)
    sheet = [['<dt class="name">', Gold(t.title(1, 2)), '</dt><dd class="value">', Gold(t.title(1, 4)), '</dd>']
             for _ in range(t.rng.randint(2, 9))]
    details = f.div('tab-pane', f.div('product-reference', '<label>Reference</label> <span>demo_%d</span>' % t.rng.randrange(99)),
                    '<section class="product-features"><p class="h6">Data sheet</p><dl class="data-sheet">', sheet,
                    '</dl></section>', extra=' id="product-details"') if t.chance(0.7) else ''
    return f.page(title, f.div('row product-container', '<div class="col-md-6"><img alt=""></div><div class="col-md-6">',
                               '<h1 class="h1">', Gold(title), '</h1>', f.div(
        'product-prices', '<div class="current-price"><span>', Gold(price(t)), '</span></div><div>Tax included</div>'), f.div(
            'product-information', f.div('product-description-short', '<p>', Gold(t.sentence()), '</p>'), f.div(
                'product-actions', '<span>Quantity</span><button>Add to cart</button><span>In stock</span>'), f.div(
                    'blockreassurance', '<p>Security policy</p><p>Delivery policy</p><p>Return policy</p>'), f.div(
                        'tabs', '<ul class="nav nav-tabs"><li>Description</li><li>Product Details</li></ul>', f.div(
                            'tab-pane', f.div('product-description', paragraphs(t, 1, 4))), details)), '</div>'),
        reviews(f, t), others(f, t))


def opencart(f, t):
    title = t.title(2, 5)
    facts = '<ul class="list-unstyled"><li>Brand: <a>%s</a></li><li>Product Code: %d</li><li>Availability: In Stock</li></ul>'
    return f.page(title, f.div('row', '<div class="col-sm-8"><ul class="nav nav-tabs"><li><a>Description</a></li><li><a>'
                               'Specification</a></li><li><a>Reviews (0)</a></li></ul>', f.div(
        'tab-content', f.div('tab-pane active', paragraphs(t, 1, 5), extra=' id="tab-description"'), f.div(
            'tab-pane', '<table class="table table-bordered"><tbody>', specification(t), '</tbody></table>',
            extra=' id="tab-specification"') if t.chance(0.6) else '',
        f.div('tab-pane', reviews(f, t), '<h2>Write a review</h2>')),
        '</div><div class="col-sm-4"><h1>', Gold(title), '</h1>', facts % (t.title(1, 1), t.rng.randrange(99)),
        '<ul class="list-unstyled"><li><h2>', Gold(price(t)), '</h2></li><li>Ex Tax: %s</li></ul>' % price(t), f.div(
            'form-group', '<label>Qty</label><button>Add to Cart</button>'), '</div>'), others(f, t))


def oscommerce(f, t):
    title = t.title(2, 5)
    body = [Gold('<br><br>\n'.join(t.rich(t.paragraph()) for _ in range(t.rng.randint(1, 5))))] if f.site.option[3] \
        else paragraphs(t, 1, 5)
    bought = [['<td align="center" class="smallText"><a>%s</a></td>' % t.title(2, 5)] for _ in range(t.rng.randint(0, 6))]
    return table_page(f, t, title, '<form><table width="100%"><tr><td class="pageHeading" valign="top">', Gold(title), '</td>',
                      '<td class="pageHeading" align="right">', Gold(price(t)), '</td></tr></table><table width="100%">', '<tr>',
                      '<td class="%s">' % f.site.name_of('main'), '<table align="right"><tr><td class="smallText"><a>Click to '
                      'enlarge</a></td></tr></table>', body, '</td></tr><tr><td class="main">Current Reviews: %d</td></tr>'
                      % t.rng.randrange(9), '<tr><td align="center" class="smallText">This product was added to our catalog on '
                      '%s.</td></tr><tr><td><button>Reviews</button> <button>Add to Cart</button></td></tr>' % t.date(),
                      '</table></form>', ['<table class="infoBox"><tr><td>Customers who bought this product also purchased</td>'
                                          '</tr><tr>', bought, '</tr></table>'] if bought else '')


PLATFORMS = {
    'woocommerce': ('product', woocommerce), 'storefront': ('product', storefront), 'catalogue': ('product', catalogue),
    'prestashop': ('product', prestashop), 'opencart': ('product', opencart), 'oscommerce': ('product', oscommerce),
}
