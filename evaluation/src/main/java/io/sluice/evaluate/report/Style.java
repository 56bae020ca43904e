package io.sluice.evaluate.report;

/** The style sheet of the pages. */
final class Style {
  static final String CSS =
      """
      :root { color-scheme: light; --ink: #1c2733; --soft: #5f6b7a; --line: #e3e8ee;
        --good: #16794c; --bad: #b3261e; --blue: #1d6fd1; }
      body { margin: 0; background: #f6f8fa; color: var(--ink);
        font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
      main { max-width: 1120px; margin: 0 auto; padding: 32px 20px 80px; }
      h1 { font-size: 30px; margin: 0; } h2 { margin: 44px 0 10px; } h3 { margin: 24px 0 8px; }
      .when { color: var(--soft); margin: 4px 0 24px; }
      .cards { display: flex; flex-wrap: wrap; gap: 16px; }
      .card { background: #fff; border: 1px solid var(--line); border-radius: 12px;
        padding: 18px 22px; flex: 1 1 260px; display: flex; flex-direction: column; }
      .card b { font-size: 40px; line-height: 1.1; color: var(--blue); }
      .card small { color: var(--soft); }
      .finding { background: #fff; border-left: 4px solid var(--soft); border-radius: 4px;
        padding: 8px 14px; margin: 8px 0; }
      .finding.better { border-color: var(--good); } .finding.worse { border-color: var(--bad); }
      .finding.doubt { border-color: var(--bad); background: #fdecea; white-space: pre-line; }
      .charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(480px, 1fr));
        gap: 16px; }
      .charts img { width: 100%; background: #fff; border: 1px solid var(--line);
        border-radius: 12px; }
      .scroll { overflow-x: auto; }
      table { border-collapse: collapse; background: #fff; font-size: 14px;
        font-variant-numeric: tabular-nums; }
      th, td { border: 1px solid var(--line); padding: 5px 10px; text-align: right;
        white-space: nowrap; }
      th:first-child, td:first-child, th:nth-child(2), td:nth-child(2) { text-align: left; }
      th { background: #eef2f6; } td.better { color: var(--good); } td.worse { color: var(--bad); }
      td.better { background: #e5f4ec; } td.worse { background: #fdecea; }
      td.undecided { color: var(--soft); background: #eef0f3; }
      """;

  private Style() {}
}
