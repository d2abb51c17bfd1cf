"""Templates of platforms for training/forum_pages.py: PLATFORMS {name: (kind, function of frame and text)}.

Names and nesting of elements are those the platforms print, as far as they say what a part of a page
is; each site of a platform may rename them. Pieces in Gold are main content.
"""
import blog_templates
import board_templates
import discussion_templates
import list_templates
import magazine_templates
import mail_templates
import shop_templates
import table_templates
import thread_templates
import weblog_templates

PLATFORMS = {name: template for module in (
    thread_templates, table_templates, board_templates, blog_templates, shop_templates, list_templates, mail_templates,
    discussion_templates, magazine_templates, weblog_templates) for name, template in module.PLATFORMS.items()}
