package io.sluice.it.cluster;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Runs the test on a cluster of this shape, with the provider of the run. The test is skipped, with
 * the reason, only if the provider lacks a capability that it needs.
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(CassandraClusterExtension.class)
public @interface CassandraCluster {
  /** Returns the number of nodes. */
  int nodes() default 3;

  /** Returns the replication factor of the test's keyspaces. */
  int rf() default 3;

  /** Whether nodes require a login. */
  boolean auth() default false;

  /** Whether nodes have the node agent. */
  boolean agent() default false;

  /** Returns the capabilities that the test needs. */
  Capability[] needs() default {};
}
