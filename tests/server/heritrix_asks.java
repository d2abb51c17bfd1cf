import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import org.archive.modules.CrawlURI;
import org.archive.modules.recrawl.FetchHistoryProcessor;
import org.archive.modules.recrawl.wbm.WbmPersistLoadProcessor;
import org.archive.net.UURIFactory;

/**
 * What Heritrix decides of a page that it has fetched: CDX_SERVER ADDRESS TEXT. Prints `revisit` or
 * `response`.
 */
class HeritrixAsks {
  public static void main(String[] words) throws Exception {
    CrawlURI page = new CrawlURI(UURIFactory.getInstance(words[1]));
    WbmPersistLoadProcessor asking = new WbmPersistLoadProcessor();
    asking.setQueryURL(words[0] + "?url=$u&limit=-1");
    asking.process(page);
    if (asking.getErrorCount() > 0) throw new IllegalStateException("the server does not answer");
    page.setFetchStatus(200);
    page.setFetchBeginTime(System.currentTimeMillis());
    byte[] text = words[2].getBytes(StandardCharsets.UTF_8);
    page.setContentDigest("sha1", MessageDigest.getInstance("SHA-1").digest(text));
    new FetchHistoryProcessor().process(page);
    System.out.println(page.getRevisitProfile() == null ? "response" : "revisit");
  }
}
