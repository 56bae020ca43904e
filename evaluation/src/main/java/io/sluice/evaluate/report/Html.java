package io.sluice.evaluate.report;

import java.util.List;

/** The few pieces of HTML that a report is made of. */
final class Html {
  private final StringBuilder out = new StringBuilder();

  /** Begins a page. */
  static Html page(String title, String style) {
    Html html = new Html();
    html.raw(
        """
        <!doctype html>
        <html lang="en"><head><meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>%s</title><style>%s</style></head><body><main>
        """
            .formatted(text(title), style));
    return html;
  }

  /** One element with text in it. */
  Html element(String name, String text) {
    return raw("<" + name + ">" + text(text) + "</" + name + ">\n");
  }

  /** One element of a class with text in it. */
  Html element(String name, String styleClass, String text) {
    return raw("<" + name + " class=\"" + styleClass + "\">" + text(text) + "</" + name + ">\n");
  }

  /**
   * A table; a cell that begins with {@code !} stands out as bad, with {@code +} as good, with
   * {@code ~} as neither.
   */
  Html table(List<String> head, List<List<String>> rows) {
    raw("<div class=\"scroll\"><table><thead><tr>");
    head.forEach(cell -> raw("<th>" + text(cell) + "</th>"));
    raw("</tr></thead><tbody>\n");
    for (List<String> row : rows) {
      raw("<tr>");
      row.forEach(this::cell);
      raw("</tr>\n");
    }
    return raw("</tbody></table></div>\n");
  }

  private void cell(String cell) {
    String styleClass =
        switch (cell.isEmpty() ? ' ' : cell.charAt(0)) {
          case '!' -> " class=\"worse\"";
          case '+' -> " class=\"better\"";
          case '~' -> " class=\"undecided\"";
          default -> "";
        };
    raw("<td" + styleClass + ">" + text(styleClass.isEmpty() ? cell : cell.substring(1)) + "</td>");
  }

  /** HTML as it is. */
  Html raw(String html) {
    out.append(html);
    return this;
  }

  /** The whole page. */
  String end() {
    return out + "</main></body></html>\n";
  }

  /** Text in which no character means anything to a browser. */
  static String text(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }
}
