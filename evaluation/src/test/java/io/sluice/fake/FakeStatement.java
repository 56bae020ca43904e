package io.sluice.fake;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A statement that reads or writes rows.
 *
 * @param kind its kind
 * @param table name of the table, with or without its keyspace
 * @param selected columns of a SELECT; empty for all of them
 * @param terms values in the order of the text
 * @param ifNotExists whether it has IF NOT EXISTS
 */
record FakeStatement(
    Kind kind, String table, List<String> selected, List<Term> terms, boolean ifNotExists) {
  private static final Pattern INSERT =
      Pattern.compile("INSERT INTO (\\S+) \\((.*?)\\) VALUES \\((.*?)\\)( IF NOT EXISTS)?");
  private static final Pattern DELETE = Pattern.compile("DELETE FROM (\\S+) WHERE (.*)");
  private static final Pattern UPDATE =
      Pattern.compile("UPDATE (\\S+) SET (\\w+) = (\\w+ \\+ )?\\? WHERE (.*?)( IF \\w+ = \\?)?");
  private static final Pattern SELECT =
      Pattern.compile("SELECT (.*?) FROM (\\S+?)( WHERE .*?)?( LIMIT \\?)?");
  private static final Pattern CONDITION =
      Pattern.compile("(token\\()?(\\w+)\\)? (=|>=|IN) (\\?|\\d+)");

  /** The kind of a statement. */
  enum Kind {
    INSERT,
    DELETE,
    UPDATE,
    SELECT
  }

  /** The meaning of a value. */
  enum Role {
    SET,
    ADD,
    EQUALS,
    IN,
    FROM_TOKEN,
    IF_EQUALS,
    LIMIT
  }

  /**
   * A value of the statement.
   *
   * @param column its column
   * @param role its meaning
   * @param literal the value in the text; null for a bind marker
   */
  record Term(String column, Role role, @Nullable String literal) {}

  /** Returns the statement; null if the text is none that reads or writes rows. */
  static @Nullable FakeStatement of(String cql) {
    Matcher insert = INSERT.matcher(cql);
    Matcher delete = DELETE.matcher(cql);
    Matcher update = UPDATE.matcher(cql);
    Matcher select = SELECT.matcher(cql);
    if (insert.matches()) {
      return new FakeStatement(
          Kind.INSERT, insert.group(1), List.of(), inserted(insert), insert.group(4) != null);
    } else if (delete.matches()) {
      return new FakeStatement(
          Kind.DELETE, delete.group(1), List.of(), conditions(delete.group(2)), false);
    } else if (update.matches()) {
      return new FakeStatement(Kind.UPDATE, update.group(1), List.of(), updated(update), false);
    } else if (select.matches()) {
      return new FakeStatement(
          Kind.SELECT, select.group(2), selected(select.group(1)), asked(select), false);
    }
    return null;
  }

  private static List<String> selected(String list) {
    return list.equals("*") ? List.of() : Arrays.asList(list.split(", *", -1));
  }

  private static List<Term> inserted(Matcher insert) {
    List<Term> terms = new ArrayList<>();
    String[] values = insert.group(3).split(", *", -1);
    for (String column : insert.group(2).split(", *", -1)) {
      String value = values[terms.size()];
      terms.add(new Term(column, Role.SET, value.equals("?") ? null : value.replace("'", "")));
    }
    return terms;
  }

  private static List<Term> updated(Matcher update) {
    List<Term> terms = new ArrayList<>();
    terms.add(new Term(update.group(2), update.group(3) == null ? Role.SET : Role.ADD, null));
    terms.addAll(conditions(update.group(4)));
    if (update.group(5) != null) {
      terms.add(new Term(update.group(2), Role.IF_EQUALS, null));
    }
    return terms;
  }

  private static List<Term> asked(Matcher select) {
    List<Term> terms = new ArrayList<>();
    if (select.group(3) != null) {
      terms.addAll(conditions(select.group(3)));
    }
    if (select.group(4) != null) {
      terms.add(new Term("", Role.LIMIT, null));
    }
    return terms;
  }

  private static List<Term> conditions(String text) {
    List<Term> terms = new ArrayList<>();
    Matcher condition = CONDITION.matcher(text);
    while (condition.find()) {
      Role role =
          condition.group(1) != null
              ? Role.FROM_TOKEN
              : condition.group(3).equals("IN") ? Role.IN : Role.EQUALS;
      String value = condition.group(4);
      terms.add(new Term(condition.group(2), role, value.equals("?") ? null : value));
    }
    return terms;
  }

  boolean counts() {
    return selected.contains("count(*)");
  }

  boolean hasRole(Role role) {
    return terms.stream().anyMatch(term -> term.role() == role);
  }
}
