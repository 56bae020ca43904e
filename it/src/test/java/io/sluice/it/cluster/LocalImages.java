package io.sluice.it.cluster;

import org.testcontainers.utility.DockerImageName;
import org.testcontainers.utility.ImageNameSubstitutor;

/** Replaces the usual image names in examples with the images of this run. */
public final class LocalImages extends ImageNameSubstitutor {

  @Override
  public DockerImageName apply(DockerImageName name) {
    return switch (name.getUnversionedPart()) {
      case "cassandra" -> DockerImageName.parse(DockerImages.chosen().cassandra());
      case "sluice" -> DockerImageName.parse(DockerImages.chosen().sluice());
      default -> name;
    };
  }

  @Override
  protected String getDescription() {
    return "the images of this run";
  }
}
