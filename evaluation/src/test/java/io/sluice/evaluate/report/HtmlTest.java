package io.sluice.evaluate.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class HtmlTest {

  @Test
  void text_is_shown_and_never_run() {
    assertThat(Html.text("<script>alert(\"a & b\")</script>"))
        .isEqualTo("&lt;script&gt;alert(&quot;a &amp; b&quot;)&lt;/script&gt;");
    assertThat(Html.page("<b>", "").element("p", "<i>").element("p", "note", "<u>").end())
        .doesNotContain("<b>", "<i>", "<u>")
        .contains(
            "<title>&lt;b&gt;</title>", "<p>&lt;i&gt;</p>", "<p class=\"note\">&lt;u&gt;</p>");
  }

  @Test
  void marked_cells_get_a_class_and_lose_their_mark() {
    String page = Html.page("t", "").table(List.of("a<"), List.of(List.of("!1", "+2", "3"))).end();
    assertThat(page)
        .contains("<th>a&lt;</th>")
        .contains("<td class=\"worse\">1</td><td class=\"better\">2</td><td>3</td>");
  }

  @Test
  void a_page_is_closed() {
    assertThat(Html.page("t", "").end()).startsWith("<!doctype html>").endsWith("</html>\n");
  }
}
