package io.sluice.decide.classify;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The words that the parser knows. */
enum Keyword {
  ADD(true),
  AGGREGATE(false),
  ALLOW(true),
  ALTER(true),
  AND(true),
  ANN(false),
  APPLY(true),
  AS(false),
  ASC(true),
  AUTHORIZE(true),
  BATCH(true),
  BEGIN(true),
  BETWEEN(false),
  BY(true),
  CAST(false),
  COLUMNFAMILY(true),
  CONTAINS(false),
  COUNTER(false),
  CREATE(true),
  CUSTOM(false),
  DEFAULT(false),
  DELETE(true),
  DESC(true),
  DESCRIBE(true),
  DISTINCT(false),
  DROP(true),
  ENTRIES(true),
  EXECUTE(true),
  EXISTS(false),
  FALSE(true),
  FILTERING(false),
  FROM(true),
  FULL(true),
  FUNCTION(false),
  GRANT(true),
  GROUP(false),
  IF(true),
  IN(true),
  INDEX(true),
  INFINITY(true),
  INSERT(true),
  INTO(true),
  IS(true),
  JSON(false),
  KEY(false),
  KEYSPACE(true),
  LIKE(false),
  LIMIT(true),
  MATERIALIZED(true),
  MODIFY(true),
  NAN(true),
  NORECURSIVE(true),
  NOT(true),
  NULL(true),
  OF(true),
  ON(true),
  OR(true),
  ORDER(true),
  PARTITION(false),
  PER(false),
  PRIMARY(true),
  RENAME(true),
  REPLACE(false),
  REVOKE(true),
  SCHEMA(true),
  SELECT(true),
  SET(true),
  TABLE(true),
  TIMESTAMP(false),
  TO(true),
  TOKEN(true),
  TRIGGER(false),
  TRUE(true),
  TRUNCATE(true),
  TTL(false),
  TYPE(false),
  UNLOGGED(true),
  UNSET(false),
  UPDATE(true),
  USE(true),
  USING(true),
  VALUES(false),
  VIEW(true),
  WHERE(true),
  WITH(true);

  private static final int SLOTS = 1024;
  private static final @Nullable Keyword[] TABLE_BY_HASH = new @Nullable Keyword[SLOTS];

  static {
    for (Keyword keyword : values()) {
      int slot = slot(keyword.hash);
      while (TABLE_BY_HASH[slot] != null) {
        slot = slot(slot + 1);
      }
      TABLE_BY_HASH[slot] = keyword;
    }
  }

  private final boolean reserved;
  private final String folded = name().toLowerCase(Locale.ROOT);
  private final int hash = hash(folded);

  Keyword(boolean reserved) {
    this.reserved = reserved;
  }

  /** Whether the word cannot be an unquoted identifier in any version of Cassandra from 4.0 on. */
  boolean reserved() {
    return reserved;
  }

  /** Adds a character to the hash for {@link #of}, from the first character of a word on. */
  static int hash(int hash, char c) {
    return 31 * hash + (c | 0x20);
  }

  /**
   * Returns the keyword that a word spells, in any case.
   *
   * @param hash of the word, begun with 0
   */
  static @Nullable Keyword of(String text, int start, int end, int hash) {
    for (int slot = slot(hash); ; slot = slot(slot + 1)) {
      Keyword candidate = TABLE_BY_HASH[slot];
      if (candidate == null || (candidate.hash == hash && candidate.spells(text, start, end))) {
        return candidate;
      }
    }
  }

  private boolean spells(String text, int start, int end) {
    if (folded.length() != end - start) {
      return false;
    }
    for (int i = start; i < end; i++) {
      if ((text.charAt(i) | 0x20) != folded.charAt(i - start)) {
        return false;
      }
    }
    return true;
  }

  private static int hash(String word) {
    int hash = 0;
    for (int i = 0; i < word.length(); i++) {
      hash = hash(hash, word.charAt(i));
    }
    return hash;
  }

  private static int slot(int hash) {
    return (hash ^ (hash >>> 15)) & (SLOTS - 1);
  }
}
