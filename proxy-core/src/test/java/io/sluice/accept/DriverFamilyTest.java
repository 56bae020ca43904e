package io.sluice.accept;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests of the names that drivers send in STARTUP. */
class DriverFamilyTest {

  @ParameterizedTest
  @CsvSource({
    "DataStax Java driver for Apache Cassandra(R), JAVA",
    "Apache Cassandra Java Driver, JAVA",
    "DataStax Python Driver, PYTHON",
    "ScyllaDB Python Driver, PYTHON",
    "github.com/apache/cassandra-gocql-driver, GO",
    "DataStax Node.js Driver for Apache Cassandra, NODEJS",
    "DataStax C# Driver for Apache Cassandra, CSHARP",
    "DataStax C/C++ Driver for Apache Cassandra, CPP",
    "ScyllaDB Rust Driver, RUST",
    "mine, OTHER",
    "' ', UNNAMED",
    ", UNNAMED"
  })
  void each_name_has_a_family(String name, DriverFamily family) {
    assertThat(DriverFamily.of(name)).isEqualTo(family);
  }
}
