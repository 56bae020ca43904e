package io.sluice.it.cluster;

import org.testcontainers.utility.DockerImageName;
import org.testcontainers.utility.ImageNameSubstitutor;

/** Lets examples name the public Cassandra image and run with the one chosen for this run. */
public final class LocalImages extends ImageNameSubstitutor {
  private static final String PUBLIC = "cassandra";

  @Override
  public DockerImageName apply(DockerImageName name) {
    return name.getUnversionedPart().equals(PUBLIC)
        ? DockerImageName.parse(DockerImages.chosen().cassandra())
        : name;
  }

  @Override
  protected String getDescription() {
    return "the Cassandra image of this run";
  }
}
