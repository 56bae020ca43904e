package io.sluice.watch;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.metadata.TokenMap;
import java.nio.ByteBuffer;
import java.util.Set;

/** The driver's token map, with a count of the queries for owners. */
final class CountedTokenMap implements TokenMap {
  private final TokenMap map;
  private int asked;

  CountedTokenMap(TokenMap map) {
    this.map = map;
  }

  int asked() {
    return asked;
  }

  @Override
  public com.datastax.oss.driver.api.core.metadata.token.Token parse(String token) {
    return map.parse(token);
  }

  @Override
  public String format(com.datastax.oss.driver.api.core.metadata.token.Token token) {
    return map.format(token);
  }

  @Override
  public com.datastax.oss.driver.api.core.metadata.token.Token newToken(
      ByteBuffer... partitionKey) {
    return map.newToken(partitionKey);
  }

  @Override
  public com.datastax.oss.driver.api.core.metadata.token.TokenRange newTokenRange(
      com.datastax.oss.driver.api.core.metadata.token.Token start,
      com.datastax.oss.driver.api.core.metadata.token.Token end) {
    return map.newTokenRange(start, end);
  }

  @Override
  public Set<com.datastax.oss.driver.api.core.metadata.token.TokenRange> getTokenRanges() {
    return map.getTokenRanges();
  }

  @Override
  public Set<com.datastax.oss.driver.api.core.metadata.token.TokenRange> getTokenRanges(
      com.datastax.oss.driver.api.core.metadata.Node node) {
    return map.getTokenRanges(node);
  }

  @Override
  public Set<com.datastax.oss.driver.api.core.metadata.token.TokenRange> getTokenRanges(
      CqlIdentifier keyspace, com.datastax.oss.driver.api.core.metadata.Node replica) {
    return map.getTokenRanges(keyspace, replica);
  }

  @Override
  public Set<com.datastax.oss.driver.api.core.metadata.Node> getReplicas(
      CqlIdentifier keyspace, ByteBuffer partitionKey) {
    return map.getReplicas(keyspace, partitionKey);
  }

  @Override
  public Set<com.datastax.oss.driver.api.core.metadata.Node> getReplicas(
      CqlIdentifier keyspace, com.datastax.oss.driver.api.core.metadata.token.Token token) {
    asked++;
    return map.getReplicas(keyspace, token);
  }

  @Override
  public String getPartitionerName() {
    return map.getPartitionerName();
  }
}
