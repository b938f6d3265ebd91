import java.io.FileReader;
import java.util.BitSet;
import weka.attributeSelection.CfsSubsetEval;
import weka.attributeSelection.ConsistencySubsetEval;
import weka.attributeSelection.ReliefFAttributeEval;
import weka.attributeSelection.SubsetEvaluator;
import weka.classifiers.bayes.BayesNet;
import weka.classifiers.bayes.net.estimate.SimpleEstimator;
import weka.classifiers.bayes.net.search.local.TAN;
import weka.classifiers.lazy.IBk;
import weka.classifiers.rules.OneR;
import weka.core.Instances;
import weka.core.SelectedTag;

/** Prints what Weka says of an ARFF file: merits of subsets, weights, or a tree. */
public class WekaOracle {
    public static void main(String[] args) throws Exception {
        Instances data = new Instances(new FileReader(args[1]));
        data.setClassIndex(data.numAttributes() - 1);
        if (args[0].equals("cfs")) {
            CfsSubsetEval cfs = new CfsSubsetEval();
            cfs.buildEvaluator(data);
            merits(cfs, args);
        }
        if (args[0].equals("consistency")) {
            ConsistencySubsetEval consistency = new ConsistencySubsetEval();
            consistency.buildEvaluator(data);
            merits(consistency, args);
        }
        if (args[0].equals("relieff")) relieff(data, Integer.parseInt(args[2]));
        if (args[0].equals("one-r")) oneR(data);
        if (args[0].equals("nearest")) nearest(data, args[2]);
        if (args[0].equals("tan")) tan(data, Double.parseDouble(args[2]));
    }

    /** One merit a line, for each subset given as a string of 0 and 1. */
    static void merits(SubsetEvaluator measure, String[] args) throws Exception {
        for (int i = 2; i < args.length; i++) {
            BitSet subset = new BitSet();
            for (int j = 0; j < args[i].length(); j++)
                if (args[i].charAt(j) == '1') subset.set(j);
            System.out.println(measure.evaluateSubset(subset));
        }
    }

    static void relieff(Instances data, int neighbours) throws Exception {
        ReliefFAttributeEval relief = new ReliefFAttributeEval();
        relief.setNumNeighbours(neighbours);
        relief.buildEvaluator(data);
        for (int j = 0; j < data.numAttributes() - 1; j++)
            System.out.println(relief.evaluateAttribute(j));
    }

    /** The number of the class of the nearest row, for each row of another file. */
    static void nearest(Instances data, String path) throws Exception {
        IBk model = new IBk(1);
        model.buildClassifier(data);
        Instances asked = new Instances(new FileReader(path));
        asked.setClassIndex(asked.numAttributes() - 1);
        for (int i = 0; i < asked.numInstances(); i++)
            System.out.println((int) model.classifyInstance(asked.instance(i)));
    }

    /** The name of the feature, then the number of training rows that the rule gets right. */
    static void oneR(Instances data) throws Exception {
        OneR rule = new OneR();
        rule.buildClassifier(data);
        System.out.println(rule.toString().split(":")[0]);
        int right = 0;
        for (int i = 0; i < data.numInstances(); i++)
            if (rule.classifyInstance(data.instance(i)) == data.instance(i).classValue()) right++;
        System.out.println(right);
    }

    /** The arcs between features, then the class distribution of every row. */
    static void tan(Instances data, double alpha) throws Exception {
        BayesNet net = new BayesNet();
        TAN search = new TAN();
        search.setScoreType(new SelectedTag("ENTROPY", TAN.TAGS_SCORE_TYPE));
        net.setSearchAlgorithm(search);
        SimpleEstimator estimator = new SimpleEstimator();
        estimator.setAlpha(alpha);
        net.setEstimator(estimator);
        net.buildClassifier(data);
        for (int j = 0; j < data.numAttributes() - 1; j++)
            for (int p = 0; p < net.getNrOfParents(j); p++)
                if (net.getParent(j, p) != data.classIndex())
                    System.out.println("arc " + net.getParent(j, p) + " " + j);
        for (int i = 0; i < data.numInstances(); i++) {
            StringBuilder line = new StringBuilder("row");
            for (double share : net.distributionForInstance(data.instance(i)))
                line.append(" ").append(share);
            System.out.println(line);
        }
    }
}
