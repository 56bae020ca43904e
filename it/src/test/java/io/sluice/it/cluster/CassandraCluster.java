package io.sluice.it.cluster;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The test runs on a cluster of this shape, whichever provider the run has. It is skipped, with the
 * reason, only where the provider lacks a capability that is needed.
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(CassandraClusterExtension.class)
public @interface CassandraCluster {
  /** How many nodes. */
  int nodes() default 3;

  /** The replication factor that the test's keyspaces use. */
  int rf() default 3;

  /** Whether nodes ask for a password. */
  boolean auth() default false;

  /** Whether nodes have the node agent in them. */
  boolean agent() default false;

  /** What the test does to the cluster. */
  Capability[] needs() default {};
}
